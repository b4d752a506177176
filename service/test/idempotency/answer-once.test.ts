import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { connectDatabase, type Database, type Executor } from '#database/database.ts';
import { answerOnce } from '#idempotency/answer-once.ts';
import { claimFreeKeys, saveClaimedAnswers } from '#idempotency/claim-keys.ts';
import { pruneIdempotencyAnswers } from '#idempotency/prune-idempotency-answers.ts';
import type { IdempotentCall } from '#idempotency/read-idempotent-call.ts';
import type { StoredAnswer } from '#idempotency/stored-answer.ts';
import { Problem } from '#lib/problem.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const INSERT = {
  name: 'work',
  text: 'INSERT INTO works (merchant, key, body) VALUES ($1, $2, $3)',
};

let test: TestDatabase;
/** Two pools, as two processes have them. */
let pools: readonly Database[];

before(async () => {
  test = await createTestDatabase('sandbox', NOW);
  pools = [0, 1].map(() => connectDatabase({ url: test.url, poolSize: 6 }));
  await test.sql('CREATE TABLE works (merchant text, key text, body text)');
  await test.sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
                            signing_secret_encrypted)
     SELECT 'mer_' || n, 'Shop', 'u', '', '' FROM generate_series(0, 1) AS n`,
  );
});
after(async () => {
  await Promise.all(pools?.map((pool) => pool.close()) ?? []);
  await test?.drop();
});

const callOf = (merchantId: string, key: string, body: string): IdempotentCall => ({
  merchantId,
  key,
  fingerprint: createHash('sha256').update(body).digest(),
});

let made = 0;
/** Every run of the work has an answer of its own, so that a second run cannot pass for a replay. */
const answerOf = (body: string): StoredAnswer => ({
  status: 201,
  headers: { 'content-type': 'text/plain', location: `/made/${++made}` },
  body: `${body} é\\u0000 "quoted" ${made}`,
});

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

describe('an answer given once', () => {
  it('is given again with its status, its headers in their order, and its body', async () => {
    const call = callOf('mer_0', 'plain', 'a');
    const first = await answerOnce(test.db, call, async () => answerOf('a'));
    const again = await answerOnce(test.db, call, () => assert.fail('done twice'));
    assert.deepEqual(again, { ...first, replayed: true });
    assert.deepEqual(Object.keys(again.headers), ['content-type', 'location']);
  });

  it('is not kept when it is a refusal, though what the work wrote is', async () => {
    for (const status of [400, 409]) {
      const call = callOf('mer_0', `refusal ${status}`, 'a');
      const refused = await answerOnce(test.db, call, async (tx) => {
        await tx.query(INSERT, ['mer_0', call.key, 'a']);
        return { status, headers: {}, body: 'no' };
      });
      assert.deepEqual(refused, { status, headers: {}, body: 'no', replayed: false });
      assert.equal((await test.sql('SELECT FROM works WHERE key = $1', [call.key])).length, 1);
      assert.equal((await answerOnce(test.db, call, async () => answerOf('a'))).replayed, false);
    }
  });

  it('rolls everything back when another call has answered in spite of the lock', async () => {
    const call = callOf('mer_0', 'broken lock', 'a');
    const code = await codeOf(
      answerOnce(test.db, call, async (tx) => {
        await tx.query(INSERT, ['mer_0', 'broken lock', 'a']);
        await test.sql(
          `INSERT INTO idempotency_answers (merchant_id, key, fingerprint, status, headers, body)
           VALUES ('mer_0', 'broken lock', $1, 201, '{}', 'theirs')`,
          [call.fingerprint],
        );
        return answerOf('a');
      }),
    );
    assert.equal(code, 'IDEMPOTENCY_IN_PROGRESS');
    assert.equal((await test.sql("SELECT FROM works WHERE key = 'broken lock'")).length, 0);
    const again = await answerOnce(test.db, call, () => assert.fail('done twice'));
    assert.equal(again.body, 'theirs');
  });

  it('runs the work of a call without a key each time', async () => {
    const work = async (tx: Executor) => {
      await tx.query(INSERT, ['mer_0', 'none', 'a']);
      return answerOf('a');
    };
    const answers = [
      await answerOnce(test.db, null, work),
      await answerOnce(test.db, null, work),
    ] as const;
    assert.ok(answers.every((answer) => !answer.replayed));
    assert.notEqual(answers[0].body, answers[1].body);
    assert.equal((await test.sql("SELECT FROM works WHERE key = 'none'")).length, 2);
  });
});

describe('the keys of many calls', () => {
  const noStatement: Executor = { query: () => assert.fail('a statement was run') };

  it('are claimed by the first call of each key, unless another call has or holds it', async () => {
    const [one, other] = pools;
    assert.ok(one && other);
    const call = (key: string, merchantId = 'mer_0') => callOf(merchantId, `many ${key}`, 'a');
    await answerOnce(test.db, call('used'), async () => answerOf('a'));
    const [first, second, third] = [call('new'), call('new', 'mer_1'), call('newer')];
    const asked = [first, null, call('new'), call('used'), call('held'), second, null, third];
    const answers = [first, second, third].map((each) => ({ call: each, answer: answerOf('a') }));
    await one.transaction(async (holder) => {
      assert.deepEqual(await claimFreeKeys(holder, [call('held')]), [true]);
      await other.transaction(async (tx) => {
        const isFree = await claimFreeKeys(tx, asked);
        assert.deepEqual(isFree, [true, true, false, false, false, true, true, true]);
        await saveClaimedAnswers(tx, answers);
      });
    });
    for (const each of answers) {
      const again = await answerOnce(test.db, each.call, () => assert.fail('done twice'));
      assert.deepEqual(again, { ...each.answer, replayed: true });
    }
  });

  it('cost no statement where no call has one', async () => {
    assert.deepEqual(await claimFreeKeys(noStatement, [null, null]), [true, true]);
    await saveClaimedAnswers(noStatement, []);
  });
});

/** A call at one of the processes, with how long its work takes and whether it fails in the end. */
const asked = fc.record({
  merchant: fc.constantFrom('mer_0', 'mer_1'),
  key: fc.constantFrom('k1', 'k2'),
  body: fc.constantFrom('a', 'b'),
  pool: fc.nat({ max: 1 }),
  startMs: fc.nat({ max: 6 }),
  workMs: fc.nat({ max: 4 }),
  ending: fc.constantFrom('answers', 'answers', 'refuses', 'breaks'),
});
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

interface Outcome extends Asked {
  readonly answer?: StoredAnswer & { readonly replayed: boolean };
  readonly code?: string;
}

async function send(run: number, call: Asked): Promise<Outcome> {
  const { merchant, body, pool, startMs, workMs, ending } = call;
  const key = `${run}-${call.key}`;
  await wait(startMs);
  const db = pools[pool] ?? test.db;
  const idempotent = callOf(merchant, key, body);
  try {
    const answer = await answerOnce(db, idempotent, async (tx) => {
      await tx.query(INSERT, [merchant, key, body]);
      await wait(workMs);
      if (ending === 'refuses') throw new Problem('VALIDATION_ERROR');
      // The database refuses this statement, as in an aborted transaction.
      if (ending === 'breaks') await tx.query({ name: 'break', text: 'SELECT 1 / 0' });
      return answerOf(body);
    });
    return { ...call, answer };
  } catch (error) {
    return { ...call, code: error instanceof Problem ? error.code : 'BROKEN' };
  }
}

describe('calls in any order, at two processes', () => {
  it('do each key’s work once, and answer it alike for ever', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(asked, { minLength: 2, maxLength: 14 }), async (calls) => {
        run += 1;
        const outcomes = await Promise.all(calls.map((call) => send(run, call)));
        for (const outcome of outcomes) assertPossible(outcome);
        for (const merchant of ['mer_0', 'mer_1']) {
          for (const key of ['k1', 'k2']) {
            const same = outcomes.filter((o) => o.merchant === merchant && o.key === key);
            await assertDoneOnce(run, same);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** A refusal is the call's own, or says that another call has the key. */
function assertPossible({ ending, code, answer }: Outcome): void {
  if (answer) {
    assert.ok(answer.replayed || ending === 'answers');
    return;
  }
  const own = { answers: [], refuses: ['VALIDATION_ERROR'], breaks: ['BROKEN'] }[ending];
  const possible = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED', ...own];
  assert.ok(possible.includes(code ?? ''), `${ending} ended with ${code}`);
}

async function assertDoneOnce(run: number, outcomes: readonly Outcome[]): Promise<void> {
  const [some] = outcomes;
  if (!some) return;
  const { merchant } = some;
  const key = `${run}-${some.key}`;
  const works = await test.sql<{ body: string }>(
    'SELECT body FROM works WHERE merchant = $1 AND key = $2',
    [merchant, key],
  );
  const answered = outcomes.filter((outcome) => outcome.answer);
  const firsts = answered.filter((outcome) => outcome.answer?.replayed === false);
  assert.equal(works.length, firsts.length, 'what was answered is what was written');
  assert.ok(firsts.length <= 1, 'done twice');
  const first = firsts[0];
  if (!first?.answer) {
    assert.equal(answered.length, 0);
    assert.ok(outcomes.every((outcome) => outcome.code !== 'IDEMPOTENCY_KEY_REUSED'));
    return;
  }
  for (const { answer, body } of answered) {
    assert.equal(body, first.body);
    assert.deepEqual({ ...answer, replayed: false }, first.answer);
  }
  for (const { code, body } of outcomes) {
    if (code === 'IDEMPOTENCY_KEY_REUSED') assert.notEqual(body, first.body);
  }
  // A later call finds it: an equal call gets the answer, another call a refusal.
  const again = await answerOnce(test.db, callOf(merchant, key, first.body), () =>
    assert.fail('done twice'),
  );
  assert.deepEqual(again, { ...first.answer, replayed: true });
  const stranger = callOf(merchant, key, 'c');
  const never = () => assert.fail('done for a used key');
  assert.equal(await codeOf(answerOnce(test.db, stranger, never)), 'IDEMPOTENCY_KEY_REUSED');
}

describe('pruning', () => {
  it('takes what is over in batches, passes by what is held, and leaves the rest', async () => {
    await test.sql('DELETE FROM idempotency_answers');
    const insert = (count: number, age: string) =>
      test.sql(
        `INSERT INTO idempotency_answers
           (merchant_id, key, fingerprint, status, headers, body, created_at)
         SELECT 'mer_1', $2 || n, sha256(''), 201, '{}', '', service_now() - $2::interval
         FROM generate_series(1, $1::int) AS n`,
        [count, age],
      );
    await insert(1_001, '72 hours');
    await insert(3, '71 hours 59 minutes 59 seconds');
    const kept = async () =>
      Number(
        (await test.sql<{ n: string }>('SELECT count(*) AS n FROM idempotency_answers'))[0]?.n,
      );

    await test.db.transaction(async (tx) => {
      const hold = `SELECT FROM idempotency_answers WHERE key = '72 hours7' FOR UPDATE`;
      await tx.query({ name: 'hold', text: hold });
      assert.equal(await pruneIdempotencyAnswers(pools[0] ?? test.db), true);
      assert.equal(await kept(), 504);
      assert.equal(await pruneIdempotencyAnswers(pools[1] ?? test.db), true);
      assert.equal(await pruneIdempotencyAnswers(pools[1] ?? test.db), false);
      assert.equal(await kept(), 4);
    });
    assert.equal(await pruneIdempotencyAnswers(test.db), false);
    assert.equal(await kept(), 3);
  });
});
