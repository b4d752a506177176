import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Asked, HistoryLine } from './history-line.ts';

type Timed<Line> = Line extends { atMs: number } ? Omit<Line, 'atMs'> : never;
/** A line without its time, which the history adds. */
export type NewLine = Timed<HistoryLine>;

/** The file of one run, one JSON text a line; it is written as things happen. */
export interface History {
  readonly path: string;
  readonly seed: number;
  append(line: NewLine): void;
  /** Writes that a call is sent now. @returns the number of the call */
  send(merchantId: string, asked: Asked): number;
  close(): void;
}

/** Starts the history of a run. @throws Error when the file is there already */
export function openHistory(path: string, seed: number): History {
  // A process that dies loses no line, because each line goes to the kernel at once.
  const file = openSync(path, 'wx');
  const startedAtMs = performance.now();
  let calls = 0;
  const write = (line: object) => writeSync(file, `${JSON.stringify(line)}\n`);
  write({ kind: 'start', seed, startedAt: new Date().toISOString() });
  const append = (line: NewLine) =>
    void write({ ...line, atMs: Math.round(performance.now() - startedAtMs) });
  return {
    path,
    seed,
    append,
    send(merchantId, asked) {
      calls += 1;
      append({ kind: 'sent', call: calls, merchantId, asked });
      return calls;
    },
    close: () => closeSync(file),
  };
}

/** Reads a history; a last line that was cut off by a crash is left out. */
export function readHistory(path: string): HistoryLine[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line));
}
