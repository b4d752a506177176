import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeSnippets } from '../support/documents/guide-snippets.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

const TOKEN = 'Zk3vQ8r1TgBn6yLw5pXc0sUe';
const BASIC = `Basic ${Buffer.from('AC1:hidden-word').toString('base64')}`;
const SMS = { id: '018f2c7e-95b0-7d10-9a2b-4c5d6e7f8091', to: '+15145550142', text: 'Pay: é' };

interface Asked {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

describe('the relay of the guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sms-relay-'));
  const asked: Asked[] = [];
  const running: ChildProcess[] = [];
  let provider: Server;
  let status = 201;

  before(async () => {
    writeSnippets(folder, ['sms-relay.mjs']);
    provider = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        const { url: path, headers } = request;
        asked.push({ path, authorization: headers.authorization, body });
        response.writeHead(status).end('{}');
      });
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    for (const child of running) child.kill();
    provider.close();
    rmSync(folder, { recursive: true });
  });

  /** Starts the relay as the guide says, and waits until it answers. */
  async function start(name: string): Promise<(body: object, token?: string) => Promise<number>> {
    const port = await freePort();
    const api = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const account = { PROVIDER: name, ACCOUNT: 'AC1', SECRET: 'hidden-word', SENDER: 'Shop' };
    const env = { ...account, API: api, SMS_TOKEN: TOKEN, PORT: `${port}` };
    running.push(
      spawn(process.execPath, [join(folder, 'sms-relay.mjs')], { env, stdio: 'inherit' }),
    );
    const post = async (body: object, token = TOKEN) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return answer.status;
    };
    await eventually(async () => (await post(SMS, 'wrong').catch(() => 0)) === 401, 'the relay');
    return post;
  }

  it('speaks with Twilio, once for each id, and passes its answer on', async () => {
    const post = await start('twilio');
    status = 429;
    assert.equal(await post(SMS), 429);
    status = 201;
    assert.equal(await post({ ...SMS, from: 'DemoShop' }), 201);
    assert.equal(await post({ ...SMS, from: 'DemoShop' }), 201);
    const [first, second, ...others] = asked.splice(0);
    assert.deepEqual(others, []);
    assert.equal(second?.path, '/2010-04-01/Accounts/AC1/Messages.json');
    assert.equal(second?.authorization, BASIC);
    const form = (body = '') => Object.fromEntries(new URLSearchParams(body));
    assert.deepEqual(form(first?.body), { To: '+15145550142', From: 'Shop', Body: 'Pay: é' });
    assert.equal(form(second?.body).From, 'DemoShop');
  });

  it('speaks with Vonage, too', async () => {
    const post = await start('vonage');
    status = 202;
    assert.equal(await post(SMS), 202);
    const [one] = asked.splice(0);
    assert.equal(one?.path, '/v1/messages');
    assert.deepEqual(JSON.parse(one?.body ?? ''), {
      channel: 'sms',
      message_type: 'text',
      client_ref: SMS.id,
      to: '15145550142',
      from: 'Shop',
      text: 'Pay: é',
    });
  });
});
