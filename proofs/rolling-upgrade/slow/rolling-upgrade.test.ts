import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { conclude } from '../../history/conclude.ts';
import { readHistory } from '../../history/history.ts';
import { startWorkload } from '../../history/workload.ts';
import { NEXT_SCHEMA, plantNextVersion } from '../next-version.ts';
import { makeRollingDeployment, type RollingDeployment } from '../rolling-deployment.ts';

const THIS_VERSION = fileURLToPath(new URL('../../../service/src/cli.ts', import.meta.url));
const SEED = 43;
/** Load between two replacements, so that each mixture of versions does work of every kind. */
const BETWEEN_MS = 3_000;
/** Retryable answers of a stop or a start (contract §9); null: a connection that a stop closed. */
const RETRYABLE: readonly (number | null)[] = [null, 502, 503, 504];
const NOTHING = { lost: [], unexpected: [], disordered: [], backlog: [] };

describe('an upgrade, process by process under load, and back', () => {
  let deployment: RollingDeployment;
  before(async () => {
    deployment = await makeRollingDeployment(SEED);
  });
  after(() => deployment?.close());

  it('loses no call, and refuses none without a way to repeat it', async (t) => {
    const { slots, history, receiver, databaseUrl, nextOrigin } = deployment;
    const next = plantNextVersion(join(deployment.folder, 'next'));
    deployment.run(THIS_VERSION, 'migrate');
    assert.ok((await deployment.newestMigration()) < NEXT_SCHEMA);
    await Promise.all(slots.map((slot) => slot.replace(THIS_VERSION)));
    const merchants = ['Shop 1', 'Shop 2'].map((name) => deployment.onboard(THIS_VERSION, name));
    for (const merchant of merchants) await receiver.register(nextOrigin(), merchant);
    const workload = startWorkload({ history, merchants, nextOrigin, workers: 2 });
    history.append({ kind: 'phase', phase: 'load' });
    await wait(BETWEEN_MS);
    for (const version of [next, THIS_VERSION]) {
      // A single process of each role is replaced at a time; the other process of the role works
      // on.
      for (const round of [0, 1]) {
        const replaced = [slots[round], slots[round + 2]];
        await Promise.all(replaced.map((slot) => slot?.replace(version)));
        await wait(BETWEEN_MS);
      }
    }
    assert.equal(await deployment.newestMigration(), NEXT_SCHEMA, 'the next version migrates');
    history.append({ kind: 'phase', phase: 'heal' });
    const merchantIds = merchants.map(({ merchantId }) => merchantId);
    const verdict = await conclude({ history, workload, databaseUrl, merchantIds });

    const { lost, unexpected, disordered, backlog, calls, received } = verdict;
    t.diagnostic(JSON.stringify({ calls, received }));
    assert.deepEqual({ lost, unexpected, disordered, backlog }, NOTHING);
    assert.deepEqual(
      slots.flatMap(({ ends }) => ends),
      [],
    );
    const answered = readHistory(history.path).filter((line) => line.kind === 'answered');
    const unknown = answered.filter(({ outcome }) => outcome === 'unknown');
    for (const line of unknown) assert.ok(RETRYABLE.includes(line.status), JSON.stringify(line));
    assert.ok((calls['create ok'] ?? 0) > 50, JSON.stringify(calls));
  });
});
