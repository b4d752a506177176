import assert from 'node:assert/strict';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import type { LivePages } from '#http/live/live-pages.ts';
import { registerLivePageRoute } from '#http/live/routes.ts';
import { createAddressLimit } from '#http/overload/address-limit.ts';
import { registerErrorHandler } from '#http/problems/error-handler.ts';
import { systemClock } from '#lib/clock.ts';
import { eventually } from '../support/eventually.ts';

const MOST_STREAMS = 3;

interface Stream {
  readonly answer: IncomingMessage;
  readonly call: ClientRequest;
}

interface TestPages extends LivePages {
  readonly followers: Set<() => void>;
  /** Runs while a stream waits for the version of its page. */
  whileOpening: (onChange: () => void) => Promise<void>;
}

/** The pages of a route, with the number of their followers. */
function createPages(): TestPages {
  const followers = new Set<() => void>();
  return {
    followers,
    whileOpening: async () => {},
    changed() {},
    close() {},
    hasChanged: async () => false,
    async follow(_id, _seenVersion, onChange) {
      followers.add(onChange);
      await this.whileOpening(onChange);
      return () => void followers.delete(onChange);
    },
  };
}

describe('the streams of a live page', () => {
  let app: FastifyInstance;
  let pages: ReturnType<typeof createPages>;
  let url: string;

  beforeEach(async () => {
    app = Fastify();
    pages = createPages();
    registerErrorHandler(app, { origin: 'https://pay.test', clock: systemClock });
    registerLivePageRoute(app, {
      path: '/live/:id',
      pages,
      idOf: () => 'page',
      misses: createAddressLimit({ clock: systemClock, limit: 20, windowMs: 60_000 }),
      maxStreams: MOST_STREAMS,
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/live/page?seen=1`;
  });
  afterEach(() => app.close());

  function open(): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const options = { agent: false, headers: { accept: 'text/event-stream' } };
      const call = get(url, options, (answer) => {
        answer.on('error', () => {});
        answer.resume();
        resolve({ answer, call });
      });
      call.on('error', reject);
    });
  }

  async function close({ call }: Stream): Promise<void> {
    const before = pages.followers.size;
    call.destroy();
    await eventually(() => pages.followers.size < before, 'a follower less');
  }

  it('are refused with 503 above the bound, and the page can still poll', async () => {
    const streams: Stream[] = [];
    for (let count = 0; count < MOST_STREAMS; count++) streams.push(await open());
    for (const { answer } of streams) assert.equal(answer.statusCode, 200);
    const { answer } = await open();
    assert.equal(answer.statusCode, 503);
    assert.equal(answer.headers['retry-after'], '30');
    assert.equal(pages.followers.size, MOST_STREAMS, 'the refused stream follows nothing');
    const polled = await fetch(url, { headers: { accept: 'application/json' } });
    assert.deepEqual(await polled.json(), { hasChanged: false });
    for (const stream of streams) await close(stream);
  });

  it('end with the change that came before the stream began', async () => {
    pages.whileOpening = async (onChange) => onChange();
    const response = await fetch(url, { headers: { accept: 'text/event-stream' } });
    assert.match(await response.text(), /event: ready[\s\S]*event: changed/);
  });

  it('answer once where the last place is taken while their page changes', async () => {
    const streams: Stream[] = [];
    for (let count = 1; count < MOST_STREAMS; count++) streams.push(await open());
    pages.whileOpening = async (onChange) => {
      pages.whileOpening = async () => {};
      streams.push(await open());
      onChange();
    };
    assert.equal((await open()).answer.statusCode, 503);
    for (const stream of streams) await close(stream);
  });

  it('follow nothing for a caller that left while its page changed', async () => {
    const sockets: Socket[] = [];
    app.server.on('connection', (socket) => sockets.push(socket));
    pages.whileOpening = async (onChange) => {
      onChange();
      sockets.at(-1)?.destroy();
    };
    for (let count = 0; count < 3 * MOST_STREAMS; count++) await assert.rejects(open());
    await eventually(() => pages.followers.size === 0, 'no follower');
    pages.whileOpening = async () => {};
    const stream = await open();
    assert.equal(stream.answer.statusCode, 200);
    await close(stream);
  });

  it('come and go more often than the bound, and a new stream is still accepted', async () => {
    for (let count = 0; count < 3 * MOST_STREAMS; count++) {
      const stream = await open();
      assert.equal(stream.answer.statusCode, 200, `stream ${count + 1}`);
      await close(stream);
    }
    assert.equal(pages.followers.size, 0);
  });
});
