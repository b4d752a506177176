import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const RUN = fileURLToPath(new URL('../../../../bench/run.ts', import.meta.url));

/** Each line of the table, and what it is measured beside; peers are not installed for a test. */
const LINES: Readonly<Record<string, readonly RegExp[]>> = {
  create: [/^bare node:http POST$/, /^pg(bench)?, same rows, 8 clients$/],
  'create with Idempotency-Key': [/^bare node:http POST$/, /^pg(bench)?, same rows, 8 clients$/],
  'create at half of its highest': [/^bare node:http POST$/],
  read: [/^bare node:http GET$/],
  'read, of 1,000 payment requests': [/^bare node:http GET$/],
  'list, first page': [/^bare node:http GET$/],
  'list, first page, of 128 merchants': [/^bare node:http GET$/],
  'token call': [/^bare node:http POST$/],
  refund: [/^bare node:http POST$/, /^create with Idempotency-Key$/],
  'refund, each of its own payment request': [
    /^bare node:http POST$/,
    /^create with Idempotency-Key$/,
  ],
  'refund, of 128 merchants': [/^bare node:http POST$/, /^create with Idempotency-Key$/],
  'payer page': [/^bare node:http GET$/],
  'webhook deliveries': [/^bare https post loop$/],
  'commit to first attempt, 100 events/s': [],
  'cold start, then at rest': [/^bare node:http$/],
};

type Figures = Readonly<Record<string, number>>;

interface Result {
  readonly lines: readonly {
    readonly name: string;
    readonly figure: string;
    readonly ours: Figures;
    readonly beside: readonly (Figures & { readonly name: string })[];
  }[];
  readonly targets: readonly { readonly name: string; readonly reached?: number }[];
}

describe('the measurements, in a quick run', () => {
  let result: Result;

  before(async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [RUN, '--quick', '--json', '--without-peers'],
      { env: { ...process.env, BENCH_DATABASE_URL: process.env.TEST_DATABASE_URL } },
    );
    result = JSON.parse(stdout);
  });

  it('have every line, with what it is measured beside', () => {
    assert.deepEqual(
      result.lines.map(({ name }) => name),
      Object.keys(LINES),
    );
    for (const { name, beside } of result.lines) {
      const expected = LINES[name] ?? [];
      assert.equal(beside.length, expected.length, name);
      for (const [index, pattern] of expected.entries()) {
        assert.match(`${beside[index]?.name}`, pattern);
      }
    }
  });

  it('have a figure and a ratio everywhere', () => {
    for (const { name, figure, ours, beside } of result.lines) {
      assert.ok(Number(ours[figure]) > 0, `${name}: ${JSON.stringify(ours)}`);
      for (const one of beside) {
        assert.ok(Number(one[figure]) > 0, `${name}: ${JSON.stringify(one)}`);
        assert.ok(Number(one.ratio) > 0, `${name}: ${JSON.stringify(one)}`);
      }
    }
  });

  it('tell what was reached of every target that needs no peer and no filled database', () => {
    const missing = result.targets.filter(({ reached }) => reached === undefined);
    assert.deepEqual(
      missing.map(({ name }) => name),
      [
        'token call ÷ oidc-provider, signed tokens',
        'webhook deliveries ÷ pg-boss',
        'webhook deliveries ÷ graphile-worker',
        'cost at 10 M ÷ 10 k rows (bench -- growth)',
      ],
    );
  });
});
