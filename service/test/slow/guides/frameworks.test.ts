import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../commands/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  answersTo,
  type GuideListener,
  inboxTables,
  rightAnswers,
  startGuideListener,
} from '../../support/documents/guide-listeners.ts';
import {
  type ListenerCase,
  listenerCases,
  type Recording,
  recordWebhooks,
} from '../../support/webhooks/genuine-webhooks.ts';

const NPM = new URL('../../../../scripts/toolchain/npm.mjs', import.meta.url);
/** Its package-lock.json names the frameworks that only this test needs. */
const FRAMEWORKS = fileURLToPath(new URL('./frameworks', import.meta.url));
/**
 * The route handler of Next.js is called with a Web `Request`, as Next.js calls it; Next.js itself
 * is not built.
 */
const LISTENERS = [
  'listener-node-http.js',
  'listener-express.js',
  'listener-fastify.js',
  'listener-next.js',
  'listener-hono.js',
];

let folder: string;
let database: TestDatabase;
let recording: Recording;
let cases: readonly ListenerCase[];

before(async () => {
  const { runNpm } = await import(NPM.href);
  const { exitCode, output } = await runNpm({
    nodePath: process.execPath,
    args: ['ci', '--ignore-scripts', '--prefer-offline'],
    cwd: FRAMEWORKS,
    cacheFallback: join(FRAMEWORKS, 'node_modules', '.npm'),
    onSpawn: () => {},
  });
  assert.equal(exitCode, 0, output);
  const modules = join(FRAMEWORKS, 'node_modules');
  mkdirSync(modules, { recursive: true });
  // Below both node_modules: the frameworks', and the project's with the SDK and pg.
  folder = mkdtempSync(join(modules, '.guide-'));
  database = await createTestDatabase('sandbox');
  await database.sql(inboxTables());
  recording = await recordWebhooks();
  cases = listenerCases(recording);
});
beforeEach(() => database.sql('TRUNCATE payment_events'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

for (const name of LISTENERS) {
  describe(`the guide’s ${name}`, () => {
    let listener: GuideListener;
    before(async () => {
      const options = { folder, name, databaseUrl: database.url };
      listener = await startGuideListener({ ...options, listener: recording.listener });
    });
    after(() => listener.stop());

    it('answers 204 to what the service sends and 401 to everything else', async () => {
      assert.deepEqual(await answersTo(listener, cases), rightAnswers(cases));
      const [stored] = await database.sql<{ count: string }>('SELECT count(*) FROM payment_events');
      assert.equal(Number(stored?.count), cases.filter(({ isGenuine }) => isGenuine).length);
    });

    it('passes payreq verify-listener', async () => {
      const { username, password, signingSecret } = recording.listener;
      const ran = await runCli(
        ['verify-listener', listener.url, '--json', '--signing-secret', signingSecret],
        {
          LOCAL_DIR: folder,
          PAYREQ_LISTENER_USERNAME: username,
          PAYREQ_LISTENER_PASSWORD: password,
        },
      );
      assert.equal(ran.exitCode, 0, ran.stdout);
    });
  });
}
