import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../../support/service/service.ts';

const NPM = new URL('../../../../scripts/toolchain/npm.mjs', import.meta.url);
/** Its package-lock.json names the generators, which only this test needs. */
const GENERATORS = fileURLToPath(new URL('.', import.meta.url));
const MODULES = join(GENERATORS, 'node_modules');
/** A generator or a compiler takes seconds; one that hangs must end the test. */
const PROGRAM_MS = 120_000;

let service: TestService;
let merchant: TestMerchant;
let folder: string;

before(async () => {
  await install();
  service = await startTestService();
  merchant = await service.createMerchant();
  mkdirSync(MODULES, { recursive: true });
  // Below both node_modules: the generators', and the project's with the types of Node.js.
  folder = mkdtempSync(join(MODULES, '.clients-'));
  cpSync(join(GENERATORS, 'clients'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const document = (await service.call('GET', '/openapi.json')).json;
  // The service listens elsewhere than at its public addresses; the paths are its own.
  document.servers = [{ url: service.url }];
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
});
after(async () => {
  await service?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

async function install(): Promise<void> {
  const { runNpm } = await import(NPM.href);
  const { exitCode, output } = await runNpm({
    nodePath: process.execPath,
    args: ['ci', '--ignore-scripts', '--prefer-offline'],
    cwd: GENERATORS,
    cacheFallback: join(MODULES, '.npm'),
    onSpawn: () => {},
  });
  assert.equal(exitCode, 0, output);
}

/** Runs a program of Node.js in the clients' folder. @returns its standard output */
async function run(program: string, args: readonly string[], env = {}): Promise<string> {
  const node = promisify(execFile);
  const options = { cwd: folder, timeout: PROGRAM_MS, env: { ...process.env, ...env } };
  const { stdout } = await node(process.execPath, [program, ...args], options).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

const bin = (path: string) => join(MODULES, path);

async function runClient(name: string) {
  const { username, password, apiKey } = merchant;
  const credentials = JSON.stringify({ origin: service.url, username, password, apiKey });
  return JSON.parse(await run(join('built', `${name}.mjs`), [], { CREDENTIALS: credentials }));
}

describe('a client that a generator made from the document', () => {
  before(async () => {
    await run(bin('openapi-typescript/bin/cli.js'), [
      'openapi.json',
      '--output',
      'generated/openapi-typescript.ts',
    ]);
    await run(bin('@hey-api/openapi-ts/bin/run.js'), [
      ...['--input', 'openapi.json', '--output', 'generated/hey-api'],
      ...['--client', '@hey-api/client-fetch', '--no-log-file'],
    ]);
    await run(bin('orval/dist/bin/orval.js'), ['--config', 'orval.config.cjs']);
    await run(bin('typescript/bin/tsc'), ['--project', '.']);
  });

  for (const name of ['openapi-fetch', 'hey-api', 'orval']) {
    it(`compiles strictly, buys a token and makes five calls: ${name}`, async () => {
      assert.deepEqual(await runClient(name), {
        amount: 10.5,
        statuses: ['CREATED', 'CANCELLED'],
        listed: true,
        refusal: 'PAYMENT_REQUEST_NOT_FOUND',
      });
    });
  }
});
