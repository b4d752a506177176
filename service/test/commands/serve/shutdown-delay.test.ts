import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { callAt, settingsOf } from '../../support/service/service.ts';
import { type SpawnedService, spawnService } from '../../support/service/spawned-service.ts';

/** Longer than the test on any machine: the test never waits for its end. */
const LONG_DELAY = '300';

let database: TestDatabase;
let settings: Record<string, string>;
let service: SpawnedService | undefined;

before(async () => {
  database = await createTestDatabase('sandbox');
  settings = settingsOf('sandbox', database.url);
});
after(async () => {
  service?.signalGroup('SIGKILL');
  await database?.drop();
});

const readiness = async (opsUrl: string) => callAt(`${opsUrl}/health/ready`, 'GET', {});

describe('SHUTDOWN_DELAY_SECONDS', () => {
  for (const [args, signalled] of [
    [[], 'the process'],
    [['--processes', '2'], 'the first process'],
    [['--processes', '2'], 'all processes'],
  ] as const) {
    const of = `${args.join(' ') || 'one process'} with a SIGTERM to ${signalled}`;
    it(`keeps ${of} answering calls while it is unready, and warns of nothing`, async () => {
      const opsPort = await freePort();
      const OPS_PORT = `${opsPort}`;
      const env = { ...settings, OPS_PORT, SHUTDOWN_DELAY_SECONDS: LONG_DELAY };
      service = spawnService({ args, env });
      // A load balancer probes a process that starts, too.
      const opsUrl = `http://127.0.0.1:${opsPort}`;
      await eventually(async () => (await readiness(opsUrl)).status === 200, 'readiness');
      const { url } = await service.started();
      if (signalled === 'all processes') service.signalGroup('SIGTERM');
      else service.child.kill('SIGTERM');
      await service.line('service stopping');
      const refused = await eventually(async () => {
        const answer = await readiness(opsUrl);
        return answer.status === 503 && answer;
      }, 'a failing readiness');
      assert.equal(refused.json.reason, 'the service is stopping');
      for (let call = 0; call < 3; call++) {
        const headers = { connection: 'close' };
        assert.equal((await callAt(`${url}/problems`, 'GET', { headers })).status, 200);
      }
      const warnings = service.lines.filter(({ level }) => level !== 'info');
      assert.deepEqual(warnings, []);
      service.signalGroup('SIGKILL');
      await service.ended();
    });
  }

  it('is over after its seconds: the service drains and ends with 0', async () => {
    service = spawnService({ env: { ...settings, SHUTDOWN_DELAY_SECONDS: '1' } });
    await service.started();
    service.signalGroup('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
  });
});
