import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { sampleOf } from '../../support/metric-samples.ts';
import { settingsOf } from '../../support/service/service.ts';
import { type SpawnedService, spawnService } from '../../support/service/spawned-service.ts';

const PLANT = fileURLToPath(
  new URL('../../support/service/plant-uncaught-errors.mjs', import.meta.url),
);
const MESSAGE = 'uncaught error';

let database: TestDatabase;
let env: Record<string, string>;
before(async () => {
  database = await createTestDatabase('sandbox');
  const settings = settingsOf('sandbox', database.url);
  env = { ...settings, DATABASE_POOL_SIZE: '12', NODE_OPTIONS: `--import=${PLANT}` };
});
after(() => database?.drop());

function start(...args: string[]): SpawnedService {
  return spawnService({ args, env });
}

const plant = (url: string, error: string) =>
  fetch(`${url}/problems`, { headers: { 'x-plant': error, 'x-request-id': `planted-${error}` } });
const isServing = async (url: string) => (await fetch(`${url}/problems`)).ok;
const count = async (opsUrl: string, outcome: string) => {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return sampleOf(text, `process_uncaught_errors_total{outcome="${outcome}"}`);
};

describe('an error that no code catches', () => {
  it('ends the connection alone where it is a fault of that connection', async () => {
    const service = start();
    const { url, opsUrl } = await service.started();
    assert.equal(await count(opsUrl, 'connection_ended'), 0);
    await assert.rejects(plant(url, 'stream'));
    const line = await service.line(MESSAGE);
    assert.equal(line.requestId, 'planted-stream');
    assert.equal(line.outcome, 'connection_ended');
    assert.match(JSON.stringify(line.err), /plant-uncaught-errors/, 'the stack');
    assert.ok(await isServing(url));
    assert.equal(await count(opsUrl, 'connection_ended'), 1);
    service.signalGroup('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
  });

  for (const error of ['code', 'rejection']) {
    it(`drains the process and exits with 1 where it may have damaged its state: ${error}`, async () => {
      const service = start();
      const { url } = await service.started();
      await assert.rejects(plant(url, error));
      const line = await service.line(MESSAGE);
      assert.deepEqual([line.requestId, line.outcome], [`planted-${error}`, 'process_ended']);
      assert.deepEqual(await service.ended(), [1, null]);
      assert.equal((await service.line('service stopping')).reason, 'an uncaught error');
      await service.line('service stopped');
    });
  }

  it('is answered by another process where a parent has several', async () => {
    const service = start('--processes', '2');
    const { url } = await service.started();
    await assert.rejects(plant(url, 'code'));
    await service.line('process ended, starting another');
    await eventually(() => service.lines.filter(({ msg }) => msg === 'process started').length > 2);
    assert.ok(await isServing(url));
    service.signalGroup('SIGTERM');
    assert.deepEqual(await service.ended(), [0, null]);
  });
});
