import type { Sample } from './line.ts';
import type { LineResult } from './run-rounds.ts';
import type { TargetResult } from './targets.ts';

interface Column {
  readonly title: string;
  readonly read: (row: Row) => string;
}

interface Row extends Sample {
  readonly name: string;
  readonly ratio?: number;
}

const NAME_WIDTH = 44;
const WIDTH = 9;

const number =
  (read: (row: Row) => number | undefined, digits = 0): Column['read'] =>
  (row) => {
    const value = read(row);
    if (value === undefined || Number.isNaN(value)) return '';
    return value.toLocaleString('en', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  };

const COLUMNS: readonly Column[] = [
  { title: 'a second', read: number((row) => row.perSecond) },
  { title: 'p50 ms', read: number((row) => row.p50Ms, 1) },
  { title: 'p99 ms', read: number((row) => row.p99Ms, 1) },
  { title: 'CPU %', read: number((row) => row.cpuPercent) },
  { title: 'CPU µs', read: number((row) => row.cpuUs) },
  { title: 'PG µs', read: number((row) => row.databaseUs) },
  { title: 'SQL µs', read: number((row) => row.statementUs) },
  { title: 'loop %', read: number((row) => row.loopPercent) },
  { title: 'late ms', read: number((row) => row.loopLateP99Ms, 1) },
  { title: 'MB', read: number((row) => row.residentMB) },
  { title: 'ratio', read: number((row) => row.ratio, 2) },
];

export function tableHead(): string {
  return cells(
    'line',
    COLUMNS.map(({ title }) => title),
  );
}

/** The row of the service, then the rows of the contenders beside it, with their ratios. */
export function lineRows({ name, ours, beside }: LineResult): readonly string[] {
  const rows: Row[] = [
    { ...ours, name },
    ...beside.map((one) => ({ ...one, name: `  ${one.name}` })),
  ];
  return rows.map((row) =>
    cells(
      row.name,
      COLUMNS.map(({ read }) => read(row)),
    ),
  );
}

/** The targets, the figures reached, and which targets are met. */
export function targetRows(targets: readonly TargetResult[]): readonly string[] {
  const rows = targets.map((target) => {
    const figures = [target.atLeast, target.aim, target.reached];
    const texts = figures.map((figure) => (figure === undefined ? '' : inUnit(figure, target)));
    return cells(target.name, [...texts, outcomeOf(target)]);
  });
  return [cells('target', ['at least', 'aim', 'reached', '']), ...rows];
}

function inUnit(figure: number, { unit }: TargetResult): string {
  if (unit === '') return figure.toFixed(2);
  return `${figure >= 100 ? figure.toFixed(0) : Number(figure.toPrecision(2))} ${unit}`;
}

function outcomeOf({ reached, atLeast, aim, isLessBetter }: TargetResult): string {
  if (reached === undefined) return 'not run';
  const isMet = (figure: number) => (isLessBetter ? reached <= figure : reached >= figure);
  if (isMet(aim)) return 'aim';
  return isMet(atLeast) ? 'least' : 'MISSED';
}

function cells(name: string, values: readonly string[]): string {
  const padded = values.map((value) => value.padStart(WIDTH));
  return `${name.padEnd(NAME_WIDTH)}${padded.join('')}`.trimEnd();
}
