import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase } from '../support/database.ts';
import { inboxTables } from '../support/documents/guide-listeners.ts';
import { writeSnippets } from '../support/documents/guide-snippets.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

const NODE_MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
/** A busy machine takes half a minute for programs that take a second. */
const PROGRAM_MS = 120_000;
const PAUSE_MS = 20;

let folder: string;
let service: TestService;
let settings: Readonly<Record<string, string>>;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guide-programs-'));
  symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  service = await startTestService();
  const merchant = await service.createMerchant();
  settings = {
    PATH: process.env.PATH ?? '',
    BASE_URL: `${service.url}/v1`,
    AUTH_URL: `${service.url}/oauth2/token`,
    API_USERNAME: merchant.username,
    API_PASSWORD: merchant.password,
    API_KEY: merchant.apiKey,
  };
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Runs Node.js as a reader would; a non-zero exit code rejects with the output. */
async function runNode(args: readonly string[], env = settings): Promise<string> {
  const options = { cwd: folder, env, timeout: PROGRAM_MS };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return stdout;
}

/** The module that a snippet is, in this process. */
async function load(name: string) {
  writeSnippets(folder, [name]);
  return import(pathToFileURL(join(folder, name)).href);
}

describe('the program of the quick start', () => {
  it('creates a payment request, waits, and prints that it is PAID', async () => {
    writeSnippets(folder, ['quick-start.js']);
    let isOver = false;
    const running = runNode(['quick-start.js']).finally(() => {
      isOver = true;
    });
    // The outcome is due ten seconds after the answer of the creation, which only the program sees.
    while (!isOver) {
      await service.advance(1);
      await setTimeout(PAUSE_MS);
    }
    const [first = '', status] = (await running).trim().split('\n');
    assert.match(first, /^[0-9a-f-]{36} https:\/\/pay\.test\/pay\/\w{16}$/);
    assert.equal(status, 'PAID');
  });
});

describe('the tests of the testing guide', () => {
  it('pass against the sandbox', async () => {
    writeSnippets(folder, ['sandbox.test.js']);
    const output = await runNode(['--test', '--test-reporter=tap', 'sandbox.test.js']);
    assert.match(output, /^# pass 4$/m);
  });

  it('pass without any service', async () => {
    writeSnippets(folder, ['shop.test.js']);
    const output = await runNode(['--test', '--test-reporter=tap', 'shop.test.js']);
    assert.match(output, /^# pass 2$/m);
  });

  it('pass on the guide’s listener, and fail on a listener that verifies nothing', async () => {
    const database = await createTestDatabase('sandbox');
    try {
      await database.sql(inboxTables());
      writeSnippets(folder, ['inbox.js', 'receive.js', 'listener.test.js']);
      const env = {
        ...settings,
        DATABASE_URL: database.url,
        LISTENER_USERNAME: 'shop',
        LISTENER_PASSWORD: 'secret',
        SIGNING_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      };
      const args = ['--test', '--test-force-exit', '--test-reporter=tap', 'listener.test.js'];
      assert.match(await runNode(args, env), /^# pass 4$/m);
      writeFileSync(join(folder, 'receive.js'), 'export const receive = async () => 204;');
      await assert.rejects(runNode(args, env), ({ stdout }) => /^# fail 3$/m.test(stdout));
    } finally {
      await database.drop();
    }
  });
});

describe('the guide’s repeated creation', () => {
  const CREATED = { id: 'created' };
  const problem = (code: string) => JSON.stringify({ code, requestId: 'r-1' });

  /** Answers in turn; null ends the connection without an answer. */
  async function withAnswers(
    answers: readonly (readonly [status: number, body: string] | null)[],
    work: (url: string, received: readonly { key: unknown; body: string }[]) => Promise<void>,
  ): Promise<void> {
    const received: { key: unknown; body: string }[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const answer = answers[received.length];
      received.push({ key: request.headers['idempotency-key'], body });
      if (!answer) return request.socket.destroy();
      response.writeHead(answer[0], { 'retry-after': '0' }).end(answer[1]);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, received);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('sends the same bytes and key after a lost answer, 503 and a call in progress', async () => {
    const { createWithRetries } = await load('create-with-retries.js');
    const answers = [
      null,
      [503, problem('TEMPORARILY_UNAVAILABLE')],
      [409, problem('IDEMPOTENCY_IN_PROGRESS')],
      [201, JSON.stringify(CREATED)],
    ] as const;
    await withAnswers(answers, async (url, received) => {
      assert.deepEqual(await createWithRetries(url, {}, { amount: 10 }, 'order-1'), CREATED);
      assert.equal(received.length, answers.length);
      assert.deepEqual(new Set(received.map(({ key }) => key)), new Set(['order-1']));
      assert.deepEqual(new Set(received.map(({ body }) => body)), new Set(['{"amount":10}']));
    });
  });

  it('repeats no refusal, and names its code', async () => {
    const { createWithRetries } = await load('create-with-retries.js');
    await withAnswers([[400, problem('VALIDATION_ERROR')]], async (url, received) => {
      await assert.rejects(createWithRetries(url, {}, {}, 'order-1'), /400 VALIDATION_ERROR r-1/);
      assert.equal(received.length, 1);
    });
  });

  it('creates one payment request at the service', async () => {
    const { createWithRetries } = await load('create-with-retries.js');
    const { headers } = await service.createMerchant();
    const body = { amount: 10, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
    const url = `${service.url}/v1/payment-requests`;
    const first = await createWithRetries(url, headers, body, 'order-1');
    assert.equal((await createWithRetries(url, headers, body, 'order-1')).id, first.id);
  });
});

describe('the guide’s reader of unknown values', () => {
  it('releases nothing for a type or a status that it does not know', async () => {
    const { isReleased } = await load('unknown-values.js');
    const paid = { eventType: 'PAYMENT-COMPLETED', resource: { status: 'PAID' } };
    assert.equal(isReleased(paid), true);
    assert.equal(isReleased({ ...paid, test: true }), false);
    assert.equal(isReleased({ ...paid, resource: { status: 'SETTLING' } }), false);
    assert.equal(isReleased({ ...paid, eventType: 'PAYMENT-REVIEWED' }), false);
  });
});
