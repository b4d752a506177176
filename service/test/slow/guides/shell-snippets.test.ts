import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { verifyWebhook } from '@payment-requests/sdk';
import { runCli } from '../../commands/run-cli.ts';
import { snippetNamed } from '../../support/documents/guide-snippets.ts';
import type { TestMerchant } from '../../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../../support/webhooks/https-listener.ts';
import {
  startWebhookService,
  type WebhookService,
} from '../../support/webhooks/webhook-service.ts';

const SCRIPT_MS = 60_000;
const PAUSE_MS = 50;
const hasCurl = spawnSync('sh', ['-c', 'command -v curl']).status === 0;

let folder: string;
let service: WebhookService;
let merchant: TestMerchant;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guide-shell-'));
  service = await startWebhookService();
  merchant = await service.createMerchant();
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Moves the clock on while the work waits for the simulator. */
async function withTimePassing<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const ending = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await service.advance(1);
    await setTimeout(PAUSE_MS);
  }
  return ending;
}

const skip = hasCurl ? false : 'curl is not installed';
describe('the calls of the quick start with curl', { skip }, () => {
  it('buy a token, create, wait until it is PAID, and read its event', async () => {
    const settings = snippetNamed('quick-start-1-settings.sh')
      .replace('https://pay.example.com/v1', `${service.url}/v1`)
      .replace('https://pay.example.com/oauth2/token', `${service.url}/oauth2/token`)
      .replace('USERNAME=sbx_…', `USERNAME=${merchant.username}`)
      .replace('PASSWORD=sbx_…', `PASSWORD=${merchant.password}`)
      .replace('KEY=sbx_…', `KEY=${merchant.apiKey}`);
    const script = [
      'set -eu',
      settings,
      snippetNamed('quick-start-2-token.sh'),
      snippetNamed('quick-start-3-create.sh'),
      snippetNamed('quick-start-4-read.sh'),
      'echo',
      snippetNamed('quick-start-5-events.sh'),
      snippetNamed('paid-csv.sh'),
      snippetNamed('ledger-csv.sh'),
    ].join('\n');
    const run = promisify(execFile)('sh', ['-c', script], {
      cwd: folder,
      timeout: SCRIPT_MS,
    });
    const { stdout } = await withTimePassing(run);
    const [created, read, feed] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual([created.status, created.amount], ['CREATED', 25.5]);
    assert.deepEqual([read.id, read.status], [created.id, 'PAID']);
    assert.deepEqual(
      feed.data.map(({ resource }: { resource: { id: string } }) => resource.id),
      [created.id],
    );
    const csv = readFileSync(join(folder, 'paid.csv'), 'utf8').trim().split('\r\n');
    assert.equal(csv.length, 2, 'the names of the columns and one payment request');
    assert.ok(csv[1]?.startsWith(created.id));
    const ledger = readFileSync(join(folder, 'ledger.csv'), 'utf8');
    assert.match(ledger, /^id,type,amount,.*,cursor\r\n/);
  });
});

describe('the commands of the testing guide', () => {
  const [triggerLine = '', verifyLine = ''] = snippetNamed('listener-tools.sh').split('\n');
  let receiver: HttpsListener;
  before(async () => {
    receiver = await startHttpsListener({ authority: service.authority });
  });
  after(() => receiver.close());

  /** The arguments of a printed command, with values of this test. */
  const argumentsOf = (line: string, values: Readonly<Record<string, string>>) =>
    (line.split(' payment-requests ')[1] ?? '').split(' ').map((word) => values[word] ?? word);

  it('trigger an outcome whose webhook is taken', async () => {
    const args = argumentsOf(triggerLine, { 'https://localhost:4003/webhooks': receiver.url });
    const { exitCode, stdout, stderr } = await withTimePassing(
      runCli(
        [...args, '--api-url', `${service.url}/v1`, '--auth-url', `${service.url}/oauth2/token`],
        {
          PAYREQ_USERNAME: merchant.username,
          PAYREQ_PASSWORD: merchant.password,
          PAYREQ_API_KEY: merchant.apiKey,
        },
      ),
    );
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /PAYMENT-COMPLETED {2}PAID/);
    assert.equal(receiver.requests.length, 1);
  });

  it('verify a listener', async () => {
    const credentials = { username: 'shop', password: 'secret' };
    const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const listener = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const webhook = { headers: request.headers, body: Buffer.concat(chunks) };
      const event = await verifyWebhook(webhook, { ...credentials, signingSecret }).catch(
        () => null,
      );
      response.writeHead(event ? 204 : 401).end();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/webhooks`;
    const args = argumentsOf(verifyLine, {
      'http://localhost:3000/webhooks': url,
      'whsec_…': signingSecret,
    });
    try {
      const { exitCode, stdout } = await runCli(args, {
        PAYREQ_LISTENER_USERNAME: credentials.username,
        PAYREQ_LISTENER_PASSWORD: credentials.password,
      });
      assert.equal(exitCode, 0, stdout);
    } finally {
      listener.closeAllConnections();
      listener.close();
    }
  });
});
