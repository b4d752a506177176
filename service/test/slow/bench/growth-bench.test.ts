import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const RUN = fileURLToPath(new URL('../../../../scripts/bench/run-bench.mjs', import.meta.url));

interface Distribution {
  readonly p50Ms: number;
  readonly buffers: number;
}

interface Result {
  readonly lines: readonly {
    readonly name: string;
    readonly few: Distribution;
    readonly many: Distribution;
    readonly ratio: number;
  }[];
  readonly sizes: readonly object[];
  readonly logs: readonly { readonly rows: number; readonly bytes: number }[];
}

// It starts a server of its own, with pg_stat_statements, which the one for the tests has not.
describe('the cost of calls at two sizes, in a quick run', () => {
  it('has a figure for each call at both, and for the log', async () => {
    const { BENCH_DATABASE_URL: _, ...env } = process.env;
    const args = [RUN, 'growth', '--quick', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    const { lines, sizes, logs } = JSON.parse(stdout) as Result;
    assert.ok(lines.length >= 40, `${lines.length} lines`);
    for (const { name, few, many, ratio } of lines) {
      const figures = [few.p50Ms, few.buffers, many.p50Ms, many.buffers, ratio];
      assert.ok(
        figures.every((figure) => figure > 0),
        `${name}: ${figures.join(', ')}`,
      );
    }
    assert.equal(sizes.length, 2);
    assert.deepEqual(
      logs.map(({ rows, bytes }) => [rows, bytes > 0]),
      [
        [10_000, true],
        [20_000, true],
      ],
    );
  });
});
