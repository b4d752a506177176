// Loaded before a test file: notes at the end which mutants, and which statements with mutants, the
// file has run, and the time of the processor that it took.
import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { STATEMENT_MARK } from './sql-mutants.ts';
import { coverage } from './switch-mutants.ts';

const path = process.env.PROOF_COVERAGE_FILE;
if (path) {
  const marks = new Set<string>();
  const { query } = pg.Client.prototype;
  // Its overloads are many; the first parameter is a text or has one.
  pg.Client.prototype.query = function noted(this: pg.Client, ...given: readonly unknown[]) {
    const text = typeof given[0] === 'string' ? given[0] : (given[0] as { text?: string })?.text;
    for (const [mark] of text?.matchAll(STATEMENT_MARK) ?? []) marks.add(mark);
    return Reflect.apply(query, this, given);
  } as typeof query;
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const ids = [...Object.keys(coverage()), ...marks];
    writeFileSync(path, JSON.stringify({ ids, cpuSeconds: (user + system) / 1_000_000 }));
  });
}
