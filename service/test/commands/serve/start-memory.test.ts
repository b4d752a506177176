import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { COMMAND_LINE } from '../../support/service/command-line.ts';
import { settingsOf } from '../../support/service/service.ts';
import { spawnService } from '../../support/service/spawned-service.ts';

const FLAGS = new URL('../../../../scripts/toolchain/node-memory-flags', import.meta.url);
/** Its processes seem idle, so that other work on the machine does not matter. */
const SHOW_COLLECTIONS = `data:text/javascript,
  const { gc } = globalThis;
  process.cpuUsage = () => ({ user: 0, system: 0 });
  globalThis.gc = (how) => { gc(how); console.error('collected', how.flavor); };`;

describe('payreq serve', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  before(async () => {
    database = await createTestDatabase('sandbox');
    env = settingsOf('sandbox', database.url);
  });
  after(() => database.drop());

  for (const processes of ['1', '2']) {
    it(`gives the memory of the start back, with --processes ${processes}`, async (context) => {
      const flags = readFileSync(FLAGS, 'utf8').trim().split('\n');
      const service = spawnService({
        command: [process.execPath, ...flags, `--import=${SHOW_COLLECTIONS}`, '--', COMMAND_LINE],
        args: ['--processes', processes],
        env,
      });
      context.after(() => service.signalGroup('SIGKILL'));
      await service.started();
      // A parent starts processes with its own flags, and collects its own heap.
      const expected = processes === '1' ? 1 : 3;
      const count = () => service.stderr().split('collected last-resort\n').length - 1;
      await eventually(() => count() === expected, 'the collection');
      service.signalGroup('SIGTERM');
      assert.deepEqual(await service.ended(), [0, null]);
      assert.equal(count(), expected);
    });
  }
});
