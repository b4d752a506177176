import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FrontProxy, startHaproxy, startNginx } from '../support/network/front-proxies.ts';
import { open, parseAnswers, type RawAnswer, rawCall } from '../support/network/raw-call.ts';
import { SMUGGLING_VARIANTS } from '../support/network/smuggling-variants.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

/** The answers are whole when nothing more has come for so long; a front may wait for more. */
const QUIET_MS = 100;
const LATEST_MS = 5_000;
const ANSWERED = '/problems/rate-limited';

interface Attack {
  readonly answers: readonly RawAnswer[];
  readonly isClosed: boolean;
}

let service: TestService;
/** Between the proxies and the service, so that the test can count their connections. */
let wire: Server;
let wired = 0;
const proxies: FrontProxy[] = [];

before(async () => {
  service = await startTestService({ roles: ['api'] });
  const port = Number(new URL(service.url).port);
  wire = createServer((near) => {
    wired += 1;
    const far = connect(port, '127.0.0.1');
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  for (const proxy of proxies) await proxy.stop();
  wire?.close();
  await service?.stop();
});

/** A call that swallows the 300 bytes behind it, where a reader takes it for a request. */
const hiddenOf = (id: string) =>
  [
    'POST /oauth2/token HTTP/1.1',
    'Host: pay.test',
    `X-Request-Id: ${id}`,
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 300',
    '',
    'a=',
  ].join('\r\n');

const callOf = (id: string, more = '') =>
  `GET ${ANSWERED} HTTP/1.1\r\nHost: pay.test\r\nX-Request-Id: ${id}\r\n${more}\r\n`;

/** Sends each part once the answers to the parts before it are there. */
async function send(url: string, parts: readonly string[]): Promise<Attack> {
  const socket = open(url);
  let received = Buffer.alloc(0);
  let isClosed = false;
  let isQuietAt = 0;
  const touch = () => {
    isQuietAt = performance.now() + QUIET_MS;
  };
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    touch();
  });
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      isClosed = true;
    });
  }
  for (const part of parts) {
    if (isClosed) break;
    const latestMs = performance.now() + LATEST_MS;
    touch();
    socket.write(part, 'latin1');
    const isOver = () => isClosed || performance.now() > Math.min(isQuietAt, latestMs);
    while (!isOver()) await sleep(10);
  }
  socket.destroy();
  const answers = parseAnswers(received).filter(({ status }) => status >= 200);
  return { answers, isClosed };
}

/** A call of another caller, over a connection of its own. */
async function assertServed(url: string, id: string, what: string): Promise<void> {
  const answers = await rawCall(url, callOf(id, 'Connection: close\r\n'));
  const seen = answers.map(({ status, headers }) => [status, headers.get('x-request-id')]);
  assert.deepEqual(seen, [[200, id]], what);
}

const wasServed = (id: string) => service.logLines.some(({ requestId }) => requestId === id);

describe('a smuggled request', () => {
  it('would be seen by these tests: it takes the answer of the call behind it', async () => {
    const bytes = callOf('outer') + hiddenOf('control');
    const { answers, isClosed } = await send(service.url, [bytes, callOf('victim')]);
    assert.deepEqual([answers.length, isClosed], [1, false]);
  });
});

describe(`${SMUGGLING_VARIANTS.length} requests with two possible ends`, () => {
  for (const [index, { name, bytes }] of SMUGGLING_VARIANTS.entries()) {
    it(`are one request or refused, sent to the service: ${name}`, async () => {
      const [hidden, victim] = [`hidden-${index}`, `victim-${index}`];
      const parts = [bytes(hiddenOf(hidden)), callOf(victim)];
      const { answers, isClosed } = await send(service.url, parts);
      const seen = answers.map(({ status, headers }) => [status, headers.get('x-request-id')]);
      assert.ok(!wasServed(hidden), `served: ${JSON.stringify(seen)}`);
      const [attacked, ...behind] = seen;
      // A length of 64 bits is awaited: the victim's bytes are a part of the body.
      if (!isClosed && attacked === undefined) assert.match(name, /all bits of 64/);
      // HTTP/1.0 and a refusal end the connection.
      else if (isClosed) assert.deepEqual([attacked !== undefined, behind], [true, []]);
      else assert.deepEqual(behind, [[200, victim]]);
      await assertServed(service.url, `${victim}-again`, name);
    });
  }
});

for (const [program, start] of [
  ['nginx', startNginx],
  ['haproxy', startHaproxy],
] as const) {
  describe(`${SMUGGLING_VARIANTS.length} requests with two possible ends, behind ${program}`, () => {
    let proxy: FrontProxy;
    before(async () => {
      proxy = await start(`127.0.0.1:${(wire.address() as AddressInfo).port}`);
      proxies.push(proxy);
    });

    it('would share their connection to the service with the next caller', async () => {
      await assertServed(proxy.url, 'first', 'the first call');
      const before = wired;
      for (const id of ['second', 'third']) await assertServed(proxy.url, id, 'a later call');
      assert.equal(wired, before);
    });

    for (const [index, { name, bytes }] of SMUGGLING_VARIANTS.entries()) {
      it(`take no other caller’s answer: ${name}`, async () => {
        const attack = bytes(hiddenOf(`${program}-hidden-${index}`));
        await send(proxy.url, [attack]);
        for (const nth of [1, 2]) {
          await assertServed(proxy.url, `${program}-victim-${index}-${nth}`, name);
        }
      });
    }
  });
}
