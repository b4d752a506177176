import type { LineResult } from './run-rounds.ts';

/** A target (README.md), and the figure that a run reached. */
export interface TargetResult {
  readonly name: string;
  readonly atLeast: number;
  readonly aim: number;
  /** Absent when the run did not measure the line. */
  readonly reached?: number;
  readonly unit: '' | 'µs' | 'ms' | 'MB';
  readonly isLessBetter: boolean;
}

interface Target extends Omit<TargetResult, 'reached' | 'isLessBetter'> {
  readonly read: (lines: ReadonlyMap<string, LineResult>) => number | undefined;
}

const ratio =
  (line: string, contender: RegExp): Target['read'] =>
  (lines) =>
    lines.get(line)?.beside.find(({ name }) => contender.test(name))?.ratio;

const ours =
  (line: string, figure: 'p50Ms' | 'p99Ms' | 'residentMB'): Target['read'] =>
  (lines) =>
    lines.get(line)?.ours[figure];

const LAG = 'commit to first attempt, 100 events/s';
const COLD_START = 'cold start, then at rest';

/** Ratios are medians of a single run; a higher ratio is better. */
const TARGETS: readonly Target[] = [
  {
    name: 'create ÷ bare node:http POST',
    atLeast: 0.4,
    aim: 0.6,
    unit: '',
    read: ratio('create', /bare/),
  },
  {
    name: 'create ÷ pgbench, same rows, 8 clients',
    atLeast: 1.5,
    aim: 2,
    unit: '',
    read: ratio('create', /^pg/),
  },
  {
    name: 'create, CPU of service and PostgreSQL',
    atLeast: 220,
    aim: 160,
    unit: 'µs',
    read: costOfCreate,
  },
  {
    name: 'refund ÷ create with Idempotency-Key',
    atLeast: 0.5,
    aim: 0.8,
    unit: '',
    read: ratio('refund', /^create/),
  },
  {
    name: 'refund, each of its own ÷ create with Idempotency-Key',
    atLeast: 0.5,
    aim: 0.8,
    unit: '',
    read: ratio('refund, each of its own payment request', /^create/),
  },
  {
    name: 'create p99 at half of its highest',
    atLeast: 10,
    aim: 6,
    unit: 'ms',
    read: ours('create at half of its highest', 'p99Ms'),
  },
  {
    name: 'read ÷ bare node:http GET',
    atLeast: 0.45,
    aim: 0.6,
    unit: '',
    read: ratio('read', /bare/),
  },
  { name: 'list, first page ÷ read', atLeast: 0.15, aim: 0.3, unit: '', read: listToRead },
  {
    name: 'token call ÷ oidc-provider, signed tokens',
    atLeast: 2,
    aim: 3,
    unit: '',
    read: ratio('token call', /signed/),
  },
  {
    name: 'webhook deliveries ÷ bare https post loop',
    atLeast: 0.6,
    aim: 0.75,
    unit: '',
    read: ratio('webhook deliveries', /bare/),
  },
  {
    name: 'webhook deliveries ÷ pg-boss',
    atLeast: 1,
    aim: 1.2,
    unit: '',
    read: ratio('webhook deliveries', /pg-boss/),
  },
  {
    name: 'webhook deliveries ÷ graphile-worker',
    atLeast: 1,
    aim: 1.2,
    unit: '',
    read: ratio('webhook deliveries', /graphile/),
  },
  { name: `${LAG}, p50`, atLeast: 100, aim: 10, unit: 'ms', read: ours(LAG, 'p50Ms') },
  { name: `${LAG}, p99`, atLeast: 1000, aim: 50, unit: 'ms', read: ours(LAG, 'p99Ms') },
  { name: 'cold start', atLeast: 800, aim: 500, unit: 'ms', read: ours(COLD_START, 'p50Ms') },
  {
    name: 'memory at rest',
    atLeast: 110,
    aim: 90,
    unit: 'MB',
    read: ours(COLD_START, 'residentMB'),
  },
  {
    name: 'memory under load, one process',
    atLeast: 300,
    aim: 150,
    unit: 'MB',
    read: highestMemory,
  },
  {
    name: 'cost at 10 M ÷ 10 k rows (bench -- growth)',
    atLeast: 1.3,
    aim: 1.1,
    unit: '',
    // A database of that size takes longer to fill than all lines take together.
    read: () => undefined,
  },
];

function costOfCreate(lines: ReadonlyMap<string, LineResult>): number | undefined {
  const { cpuUs, databaseUs } = lines.get('create')?.ours ?? {};
  return cpuUs === undefined || databaseUs === undefined ? undefined : cpuUs + databaseUs;
}

function listToRead(lines: ReadonlyMap<string, LineResult>): number | undefined {
  const perSecond = (line: string) => lines.get(line)?.ours.perSecond;
  const [list, read] = [perSecond('list, first page'), perSecond('read')];
  return list === undefined || read === undefined ? undefined : list / read;
}

/** The highest memory of any line except that of the process at rest. */
function highestMemory(lines: ReadonlyMap<string, LineResult>): number | undefined {
  const loaded = [...lines.values()].filter(({ name }) => name !== COLD_START);
  const known = loaded.flatMap(({ ours: { residentMB } }) => residentMB ?? []);
  return known.length > 0 ? Math.max(...known) : undefined;
}

/** Adds to every target the figure that these lines reached. */
export function evaluateTargets(lines: readonly LineResult[]): readonly TargetResult[] {
  const byName = new Map(lines.map((line) => [line.name, line]));
  return TARGETS.map(({ read, ...target }) => {
    const reached = read(byName);
    const isLessBetter = target.aim < target.atLeast;
    return { ...target, isLessBetter, ...(reached !== undefined && { reached }) };
  });
}
