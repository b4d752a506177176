import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { sampleOf } from '../support/metric-samples.ts';
import { createPayer } from '../support/payment-requests/payer.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { type HttpsListener, startHttpsListener } from '../support/webhooks/https-listener.ts';

interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

/** A collector that takes OTLP/HTTP as JSON. */
async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const paths: string[] = [];
  let isSilent = false;
  const server: Server = createServer((request, response) => {
    paths.push(request.url ?? '');
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push(body);
      for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      if (!isSilent) response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    paths,
    beSilent() {
      isSilent = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const BODY = {
  amount: 1,
  type: 'ECOMM',
  payer: { name: 'Canary Payer', email: 'canary@example.com' },
  metadata: { basket: 'canary-basket' },
};

describe('traces', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let service: TestService;
  let merchant: TestMerchant;
  let listener: HttpsListener;
  let folder: string;
  let webhookSettings: Record<string, string>;

  before(async () => {
    collector = await startCollector();
    folder = await mkdtemp(join(tmpdir(), 'payreq-test-'));
    listener = await startHttpsListener();
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, listener.caPem);
    webhookSettings = {
      WEBHOOK_CA_FILE: caFile,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
      WEBHOOK_ALLOW_PORTS: '*',
    };
    service = await startTestService({
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, ...webhookSettings },
    });
    merchant = await service.createMerchant();
  });
  after(async () => {
    await service?.stop();
    await listener?.close();
    await collector.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    collector.spans.length = 0;
  });

  const spanNamed = (name: string) =>
    eventually(async () => collector.spans.find((span) => span.name === name), name);

  it('go on with the trace of the caller: the request, and the use case below it', async () => {
    const headers = { ...merchant.headers, traceparent: `00-${TRACE}-${PARENT}-01` };
    const created = await service.call('POST', '/v1/payment-requests', { headers, body: BODY });
    assert.equal(created.status, 201);
    const server = await spanNamed('POST /v1/payment-requests');
    assert.equal(server.traceId, TRACE);
    assert.equal(server.parentSpanId, PARENT);
    const useCase = await spanNamed('create-payment-request');
    assert.equal(useCase.traceId, TRACE);
    assert.equal(useCase.parentSpanId, server.spanId);
    const attributes = Object.fromEntries(server.attributes.map(({ key, value }) => [key, value]));
    assert.deepEqual(attributes['http.response.status_code'], { intValue: 201 });
    assert.deepEqual(attributes['payreq.payment_request_id'], { stringValue: created.json.id });
    assert.deepEqual(attributes['payreq.merchant_id'], { stringValue: merchant.merchantId });
    assert.ok(collector.paths.every((path) => path === '/v1/traces'));
    const [row] = await service.database.sql<{ trace_parent: string }>(
      'SELECT trace_parent FROM payment_requests WHERE id = $1',
      [created.json.id],
    );
    assert.equal(row?.trace_parent, `00-${TRACE}-${server.spanId}-01`);
  });

  /** Creates and cancels in one trace; the header of the webhook that tells of it. */
  async function webhookOf(on: TestService, by: TestMerchant): Promise<unknown> {
    const headers = { ...by.headers, traceparent: `00-${TRACE}-${PARENT}-01` };
    const body = { ...BODY, webhookUrl: listener.url };
    const { json } = await on.call('POST', '/v1/payment-requests', { headers, body });
    const path = `/v1/payment-requests/${json.id}/cancellation`;
    await on.call('POST', path, { headers: by.headers });
    const received = await eventually(
      async () => listener.requests.find((one) => one.body.includes(json.id)),
      'the webhook',
    );
    return received.headers.traceparent;
  }

  it('go on with the webhook: its attempt is a span, which the header hands on', async () => {
    const header = await webhookOf(service, merchant);
    const attempt = await spanNamed('webhook attempt');
    const server = await spanNamed('POST /v1/payment-requests');
    assert.equal(attempt.traceId, TRACE);
    assert.equal(attempt.parentSpanId, server.spanId);
    assert.equal(header, `00-${TRACE}-${attempt.spanId}-01`);
  });

  it('need no collector to be handed on to the webhook', async () => {
    const other = await startTestService({ settings: webhookSettings });
    try {
      const header = await webhookOf(other, await other.createMerchant());
      assert.equal(header, `00-${TRACE}-${PARENT}-01`);
    } finally {
      await other.stop();
    }
  });

  it('hold no payer data, no secret and no short code', async () => {
    const { headers } = merchant;
    const { json } = await service.call('POST', '/v1/payment-requests', { headers, body: BODY });
    await fetch(service.url + new URL(json.paymentLink).pathname);
    const link = await spanNamed('GET /pay/:shortCode');
    assert.ok(link);
    const text = collector.bodies.join();
    const { apiKey, token, password } = merchant;
    for (const secret of ['anary', json.shortCode, apiKey, token, password]) {
      assert.ok(!text.includes(secret), `a span holds ${secret}`);
    }
  });

  it('are not recorded where the caller has decided so', async () => {
    const headers = { ...merchant.headers, traceparent: `00-${TRACE}-${PARENT}-00` };
    await service.call('POST', '/v1/payment-requests', { headers, body: BODY });
    await service.call('GET', '/v1/payment-requests', { headers: merchant.headers });
    await spanNamed('GET /v1/payment-requests');
    assert.equal(
      collector.spans.find(({ name }) => name === 'POST /v1/payment-requests'),
      undefined,
    );
  });

  it('mark a call that fails by a fault of the service', async () => {
    await service.database.sql('ALTER TABLE payment_requests RENAME TO away');
    const answer = await fetch(`${service.url}/v1/payment-requests`, { headers: merchant.headers });
    await service.database.sql('ALTER TABLE away RENAME TO payment_requests');
    assert.equal(answer.status, 500);
    assert.equal((await spanNamed('GET /v1/payment-requests')).status.code, 2);
  });

  it('are counted when they were sent', async () => {
    await eventually(async () => {
      const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
      return (sampleOf(text, 'trace_spans_exported_total{outcome="exported"}') ?? 0) > 0;
    });
  });
});

describe('the trace of a payment', () => {
  it('leads with the id of the payer’s call to the move to PAID and to its webhook', async () => {
    const collector = await startCollector();
    const listener = await startHttpsListener();
    const folder = await mkdtemp(join(tmpdir(), 'payreq-test-'));
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, listener.caPem);
    const service = await startTestService({
      environment: 'production',
      settings: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        WEBHOOK_CA_FILE: caFile,
        WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32,::1/128',
        WEBHOOK_ALLOW_PORTS: '*',
      },
    });
    try {
      const { headers } = await service.createMerchant({ webhookUrl: listener.url });
      const answer = await service.call('POST', '/v1/payment-requests', { headers, body: BODY });
      const { id, paymentLink } = answer.json;
      const payer = createPayer(service);
      const confirm = await payer.signIn(paymentLink, 'approve');
      const token = /name="token" value="([^"]+)"/.exec(confirm.html)?.[1] ?? '';
      const requestId = randomUUID();
      await payer.request(confirm.address, {
        method: 'POST',
        body: new URLSearchParams({ token, decision: 'confirm' }),
        headers: {
          'sec-fetch-site': 'same-origin',
          'x-request-id': requestId,
          traceparent: `00-${TRACE}-${PARENT}-01`,
        },
      });
      const spanOf = (name: string | RegExp) =>
        eventually(
          async () => collector.spans.find((span) => new RegExp(name).test(span.name)),
          `${name}`,
        );
      const attempt = await spanOf(/^webhook attempt$/);
      const moved = await spanOf(/^payment request moved$/);
      const report = await spanOf(/^apply-network-report$/);
      const call = await spanOf(/^POST .*\/confirm$/);
      const created = await spanOf(/^POST \/v1\/payment-requests$/);
      assert.deepEqual([call.traceId, call.parentSpanId], [TRACE, PARENT]);
      assert.deepEqual([report.traceId, report.parentSpanId], [TRACE, call.spanId]);
      assert.deepEqual(
        moved.links?.map(({ traceId, spanId }) => [traceId, spanId]),
        [[TRACE, call.spanId]],
      );
      for (const { traceId, parentSpanId } of [moved, attempt]) {
        assert.deepEqual([traceId, parentSpanId], [created.traceId, created.spanId]);
      }
      assert.deepEqual(Object.fromEntries(moved.attributes.map(({ key, value }) => [key, value])), {
        'payreq.payment_request_id': { stringValue: id },
        'payreq.from': { stringValue: 'CREATED' },
        'payreq.to': { stringValue: 'PAID' },
        'payreq.request_id': { stringValue: requestId },
      });
      const line = service.logLines.find(({ msg }) => msg === 'payment request moved');
      assert.partialDeepStrictEqual(line, { paymentRequestId: id, to: 'PAID', requestId });
      // The timeline is the merchant's: a payer's call is not the report's cause.
      const { data } = (
        await service.call('GET', `/v1/payment-requests/${id}/timeline`, { headers })
      ).json;
      const paid = data.find(({ status }: { status?: string }) => status === 'PAID');
      assert.equal(paid?.requestId, undefined);
    } finally {
      await service.stop();
      await listener.close();
      await collector.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('a collector that does not answer', () => {
  it('keeps no call waiting, and a stop for 3 s at most', { timeout: 30_000 }, async () => {
    const collector = await startCollector();
    collector.beSilent();
    const service = await startTestService({
      settings: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/custom/traces` },
    });
    const { headers } = await service.createMerchant();
    for (let call = 0; call < 3; call++) {
      assert.equal((await service.call('GET', '/v1/payment-requests', { headers })).status, 200);
    }
    await eventually(async () => collector.paths.includes('/custom/traces'));
    await service.stop();
    await collector.close();
  });
});
