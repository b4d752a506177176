import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { runProgram } from '../../../sdk/src/cli/program.ts';
import { eventually } from '../support/eventually.ts';

/** Sets the title of a terminal, and turns the direction of the text around. */
const STEERING = '\u001b]0;owned\u0007\u202e';
const STEERING_CHARACTERS = ['\u001b', '\u0007', '\u202e'];

/** Without the credentials of a local merchant; `listen` keeps its place in the feed there. */
const folder = mkdtempSync(join(tmpdir(), 'hostile answers '));
after(() => rmSync(folder, { recursive: true }));

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Runs `listen` against a service that answers the feed so, until `isDone` of what is printed. */
async function listenTo(
  feed: { readonly status: number; readonly body: object },
  isDone: (text: string) => boolean,
): Promise<{ readonly text: string; readonly reads: number }> {
  let reads = 0;
  let text = '';
  server = createServer((request, response) => {
    request.resume();
    const isFeed = request.url?.startsWith('/events') ?? false;
    if (isFeed) reads += 1;
    response.statusCode = isFeed ? feed.status : 200;
    response.end(JSON.stringify(isFeed ? feed.body : { access_token: 'token' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const interrupt = new AbortController();
  const output = { write: (part: string) => (text += part) };
  const person = ['--username', 'u', '--password', 'p', '--api-key', 'k'];
  const access = [...person, '--local-dir', folder];
  const run = runProgram(
    ['listen', '--forward-to', `${url}/hook`, '--api-url', url, '--auth-url', url, ...access],
    { env: {}, stdout: output, stderr: output, interruption: () => interrupt.signal },
  );
  try {
    await eventually(() => isDone(text) || reads > 20);
  } finally {
    interrupt.abort();
    await run;
  }
  return { text, reads };
}

describe('listen, with a service that answers strangely', () => {
  it('asks again after a pause where a page has no place', async () => {
    const page = { status: 200, body: { data: [] } };
    const { text, reads } = await listenTo(page, (said) => said.includes('Trying again'));
    assert.match(text, /the answer is no page of the feed\. Trying again\./);
    assert.ok(reads <= 2, `${reads}`);
  });

  for (const status of [400, 503]) {
    it(`prints no characters that steer a terminal: of a refusal with ${status}`, async () => {
      const refusal = { status, body: { code: 'X', detail: `no ${STEERING}` } };
      const { text } = await listenTo(refusal, (said) => said.includes('owned'));
      assert.match(text, /owned/);
      for (const steering of STEERING_CHARACTERS) assert.ok(!text.includes(steering));
    });
  }

  it('prints no characters that steer a terminal: of an event', async () => {
    const resource = { id: STEERING, status: 'PAID' };
    const event = { id: 'e', eventType: 'PAYMENT-COMPLETED', sequence: 1, resource };
    const page = { status: 200, body: { data: [event], nextCursor: 'c' } };
    const { text } = await listenTo(page, (said) => said.includes('owned'));
    assert.match(text, /owned/);
    for (const steering of STEERING_CHARACTERS) assert.ok(!text.includes(steering));
  });
});
