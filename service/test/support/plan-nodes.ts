/** A step of a plan; it has actual numbers where the statement was run (`ANALYZE`). */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The answer to `EXPLAIN (FORMAT JSON)`. */
export interface ExplainedPlan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

/** All steps of a plan, each before those that it reads from. */
export function planNodes([row]: readonly ExplainedPlan[]): readonly PlanNode[] {
  const flat = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flat)];
  return row ? flat(row['QUERY PLAN'][0].Plan) : [];
}
