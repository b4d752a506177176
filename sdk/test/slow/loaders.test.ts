import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type PackedSdk, packSdk, runCommand } from '../packed-sdk.ts';

const NPM = new URL('../../../scripts/toolchain/npm.mjs', import.meta.url);
/** Its package-lock.json names the programs that only this test needs. */
const LOADERS = fileURLToPath(new URL('./loaders', import.meta.url));
const MODULES = join(LOADERS, 'node_modules');

let packed: PackedSdk;
const projects: string[] = [];

before(async () => {
  const { runNpm } = await import(NPM.href);
  const { exitCode, output } = await runNpm({
    nodePath: process.execPath,
    args: ['ci', '--ignore-scripts', '--prefer-offline'],
    cwd: LOADERS,
    cacheFallback: join(MODULES, '.npm'),
    onSpawn: () => {},
  });
  assert.equal(exitCode, 0, output);
  packed = await packSdk();
});
after(async () => {
  await packed?.remove();
  for (const project of projects) await rm(project, { recursive: true, force: true });
});

/** A project that has the packed SDK, below the programs that load it. */
async function makeProject(files: Readonly<Record<string, string>>): Promise<string> {
  const project = await mkdtemp(join(LOADERS, '.local-project-'));
  projects.push(project);
  const sdk = join(project, 'node_modules', '@payment-requests', 'sdk');
  await mkdir(sdk, { recursive: true });
  await runCommand('tar', ['-xzf', packed.tarball, '-C', sdk, '--strip-components=1'], project);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  return project;
}

const runNode = (args: readonly string[], project: string) =>
  runCommand(process.execPath, args, project);

/** Runs Jest on a project; its report tells how many tests passed. */
async function runJest(project: string): Promise<{ numPassedTests: number; success: boolean }> {
  const jest = join(MODULES, 'jest', 'bin', 'jest.js');
  const args = [jest, '--ci', '--json', '--no-cache', '--rootDir', project];
  const { stdout } = await runNode(args, project);
  return JSON.parse(stdout);
}

describe('Jest 29', () => {
  it('loads the SDK and the checkout script by require, and verifies a webhook', async () => {
    const project = await makeProject({
      'package.json': '{"name":"shop","private":true,"jest":{}}',
      'shop.test.js': JEST_TEST,
    });
    const { numPassedTests, success } = await runJest(project);
    assert.deepEqual([numPassedTests, success], [2, true]);
  });

  it('loads the SDK through ts-jest with moduleResolution node10', async () => {
    const jest = { preset: 'ts-jest', testEnvironment: 'node' };
    const project = await makeProject({
      'package.json': JSON.stringify({ name: 'shop', private: true, jest }),
      'tsconfig.json': tsconfig({ module: 'commonjs', moduleResolution: 'node10' }),
      'shop.ts': SHOP,
      'shop.test.ts': TS_JEST_TEST,
    });
    const { numPassedTests, success } = await runJest(project);
    assert.deepEqual([numPassedTests, success], [1, true]);
  });
});

interface Resolution {
  readonly name: string;
  readonly type: 'commonjs' | 'module';
  readonly options: Readonly<Record<string, unknown>>;
}

const RESOLUTIONS: readonly Resolution[] = [
  {
    name: 'node10',
    type: 'commonjs',
    options: { module: 'commonjs', moduleResolution: 'node10' },
  },
  {
    name: 'node16 in CommonJS',
    type: 'commonjs',
    options: { module: 'node16', moduleResolution: 'node16' },
  },
  {
    name: 'node16 in ES modules',
    type: 'module',
    options: { module: 'node16', moduleResolution: 'node16' },
  },
  {
    name: 'bundler',
    type: 'module',
    options: { module: 'esnext', moduleResolution: 'bundler' },
  },
];
const COMPILERS = ['typescript-5.0', 'typescript-5.4', 'typescript'];

for (const compiler of COMPILERS) {
  describe(`the compiler ${compiler}`, () => {
    for (const { name, type, options } of RESOLUTIONS) {
      it(`compiles a shop under moduleResolution ${name}, and Node.js runs it`, async () => {
        const project = await makeProject({
          'package.json': JSON.stringify({ name: 'shop', private: true, type }),
          'tsconfig.json': tsconfig(options),
          'shop.ts': SHOP,
          'run.ts': RUN,
        });
        await runNode([join(MODULES, compiler, 'bin', 'tsc'), '-p', project], project);
        const { stdout } = await runNode(['out/run.js'], project);
        assert.equal(stdout.trim(), 'Test Bank SIGNATURE_WRONG function');
      });
    }

    it('compiles a shop with the types of Node.js and without those of a browser', async () => {
      const project = await makeProject({
        'package.json': '{"name":"shop","private":true,"type":"commonjs"}',
        'tsconfig.json': tsconfig({
          ...{ module: 'node16', moduleResolution: 'node16', lib: ['es2022'], types: ['node'] },
          skipLibCheck: true,
        }),
        'shop.ts': SHOP.replace(/^.*checkout.*$/gm, ''),
      });
      await runNode([join(MODULES, compiler, 'bin', 'tsc'), '-p', project], project);
    });

    it('finds the type errors that the shop provokes', async () => {
      const project = await makeProject({
        'package.json': '{"name":"shop","private":true,"type":"commonjs"}',
        'tsconfig.json': tsconfig({ module: 'node16', moduleResolution: 'node16' }),
        'shop.ts': SHOP.replaceAll('// @ts-expect-error', '//'),
      });
      const compiling = runNode([join(MODULES, compiler, 'bin', 'tsc'), '-p', project], project);
      await assert.rejects(compiling, /TS2339: Property 'institution'[\s\S]*TS2345/);
    });
  });
}

function tsconfig(options: Readonly<Record<string, unknown>>): string {
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    skipLibCheck: false,
    outDir: 'out',
    ...options,
  };
  return JSON.stringify({ compilerOptions, include: ['*.ts'] });
}

const SHOP = `
import {
  type Client, createClient, makeTestWebhook, PaymentRequestsError, type PaymentRequest,
  verifyWebhook, type WebhookEvent,
} from '@payment-requests/sdk';
import { openCheckout } from '@payment-requests/sdk/checkout';

const signingSecret = 'whsec_' + btoa('x'.repeat(32));
const credentials = { username: 'listener', password: 'password', signingSecret };

export function wordsOf(event: WebhookEvent): string {
  switch (event.eventType) {
    case 'PAYMENT-COMPLETED':
      return event.resource.payment.institution;
    case 'PAYMENT-FAILED':
      // @ts-expect-error an unpaid payment request has no institution
      event.resource.institution;
      return event.resource.statusReason.message;
  }
}

export async function receive(): Promise<string> {
  const webhook = await makeTestWebhook({ amount: '25.50' }, credentials);
  const words = wordsOf(await verifyWebhook(webhook, credentials));
  const forged = { ...webhook, body: webhook.body.replace('25.50', '99.50') };
  try {
    await verifyWebhook(forged, credentials);
    return 'accepted';
  } catch (error) {
    return words + ' ' + (error instanceof PaymentRequestsError ? error.code : 'unknown');
  }
}

export async function follow(client: Client): Promise<void> {
  const feed = client.readEvents({ waitSeconds: 30 });
  for await (const { items, nextCursor } of feed.pages()) console.log(items.length, nextCursor.trim());
  for await (const { id } of client.listPaymentRequests({ status: 'PAID' })) id.trim();
  const csv = await client.exportPaymentRequests();
  for await (const text of csv) text.trim();
  const one: PaymentRequest = await client.getPaymentRequest('1', { timeoutMs: 1, retries: 0 });
  if (one.status === 'PAID') one.payment.networkReference.trim();
  // @ts-expect-error the payer is required
  await client.createPaymentRequest({ amount: '25.50' });
}

export const make = createClient;
export const checkout = typeof openCheckout;
`;

const RUN = `
import { checkout, receive } from './shop.js';

receive().then((words) => console.log(words + ' ' + checkout));
`;

const JEST_TEST = `
const { makeTestWebhook, verifyWebhook, PaymentRequestsError } = require('@payment-requests/sdk');

test('verifies a webhook', async () => {
  const signingSecret = 'whsec_' + Buffer.alloc(32).toString('base64');
  const credentials = { username: 'listener', password: 'password', signingSecret };
  const webhook = await makeTestWebhook({}, credentials);
  const { resource } = await verifyWebhook(webhook, credentials);
  expect(resource.amount).toBe(10);
  const forged = { ...webhook, body: webhook.body + ' ' };
  await expect(verifyWebhook(forged, credentials)).rejects.toThrow(PaymentRequestsError);
});

test('loads the checkout script', () => {
  expect(typeof require('@payment-requests/sdk/checkout').openCheckout).toBe('function');
});
`;

const TS_JEST_TEST = `
import { receive } from './shop';

declare const test: (title: string, run: () => Promise<void>) => void;
declare const expect: (value: unknown) => { toBe(other: unknown): void };

test('verifies a webhook', async () => {
  expect(await receive()).toBe('Test Bank SIGNATURE_WRONG');
});
`;
