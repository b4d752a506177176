import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { registerErrorHandler } from '#http/problems/error-handler.ts';
import { systemClock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { createLog } from '#telemetry/log/log.ts';
import { registerRequestLog } from '#telemetry/log/request-log.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { sampleOf, TEST_DEPLOYMENT } from '../support/metric-samples.ts';

type Line = Record<string, unknown>;

describe('the request log', () => {
  const lines: Line[] = [];
  const metrics = createMetrics(TEST_DEPLOYMENT);
  let app: FastifyInstance;
  let port: number;
  let reached: () => void;

  before(async () => {
    app = fastify({ genReqId: () => 'req-1' });
    const log = createLog({
      level: 'info',
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    });
    registerErrorHandler(app, { origin: 'http://api.example', clock: systemClock });
    registerRequestLog(app, { log, metrics, clock: systemClock });
    app.get('/pay/:shortCode', async (_request, reply) => reply.type('text/plain').send('hello'));
    app.get('/streamed', async (_request, reply) => {
      const { Readable } = await import('node:stream');
      return reply.send(Readable.from(['a'.repeat(1_000), 'b'.repeat(1_000)]));
    });
    app.get('/quiet', { logLevel: 'debug' }, async () => 'x');
    app.get('/refused', async (request) => {
      Object.assign(request, { merchant: { id: 'm-1' } });
      throw new Problem('RATE_LIMITED');
    });
    app.get('/broken', async () => {
      throw new Error('secret "value" in here');
    });
    app.get('/slow', async (_request, reply) => {
      reached();
      await once(reply.raw, 'close');
      return 'too late';
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as { port: number }).port;
  });

  after(() => app.close());
  beforeEach(() => {
    lines.length = 0;
  });

  async function lineOf(path: string, init?: RequestInit): Promise<Line> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    await response.arrayBuffer();
    // The caller has the answer a moment before the server hears that it went out.
    for (let waits = 0; lines.length === 0 && waits < 100; waits++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(lines.length, 1);
    return lines[0] ?? {};
  }

  it('writes one line with the route’s pattern and never the address asked for', async () => {
    const line = await lineOf('/pay/AbCdEfGhIjKlMnOp?lang=fr');
    const { time, pid, hostname, durationMs, ...rest } = line;
    assert.deepEqual(rest, {
      level: 'info',
      requestId: 'req-1',
      method: 'GET',
      route: '/pay/:shortCode',
      status: 200,
      responseBytes: 5,
      msg: 'request',
    });
    assert.equal(typeof durationMs, 'number');
  });

  it('names the merchant and the problem where they are known', async () => {
    const line = await lineOf('/refused');
    assert.equal(line.merchantId, 'm-1');
    assert.equal(line.problemCode, 'RATE_LIMITED');
    assert.equal(line.status, 429);
    assert.equal(line.level, 'info');
  });

  it('writes a fault of ours as an error, without what it quotes', async () => {
    const line = await lineOf('/broken');
    assert.equal(line.level, 'error');
    assert.equal(line.problemCode, 'INTERNAL_ERROR');
    assert.equal((line.err as Line).message, 'secret "…" in here');
  });

  it('writes a line for an address without a route', async () => {
    const line = await lineOf('/nothing/here');
    assert.equal(line.route, 'none');
    assert.equal(line.status, 404);
  });

  it('counts the bytes of a streamed answer', async () => {
    const line = await lineOf('/streamed');
    assert.ok(Number(line.responseBytes) > 2_000);
  });

  it('counts the bytes of a request’s body', async () => {
    const line = await lineOf('/nothing', { method: 'POST', body: 'x'.repeat(123) });
    assert.equal(line.requestBytes, 123);
  });

  it('writes one line for a caller that went away before its answer', async () => {
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await isReached;
    socket.destroy();
    for (let waits = 0; lines.length === 0 && waits < 100; waits++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(lines.length, 1);
    assert.equal(lines[0]?.aborted, true);
    assert.equal(lines[0]?.status, 499);
    assert.equal(lines[0]?.route, '/slow');
  });

  it('writes one line for an injected request', async () => {
    await app.inject('/pay/AbCdEfGhIjKlMnOp');
    assert.equal(lines.length, 1);
    assert.equal(lines[0]?.status, 200);
    assert.equal(lines[0]?.aborted, undefined);
  });

  it('writes nothing at info for a route that asked for debug', async () => {
    assert.equal((await app.inject('/quiet')).statusCode, 200);
    assert.equal(lines.length, 0);
  });

  it('counts what it writes', async () => {
    const name = 'http_request_duration_seconds_count';
    const labels = 'method="GET",route="/slow",status="499"';
    assert.equal(sampleOf(await metrics.render(), `${name}{${labels}}`), 1);
  });
});
