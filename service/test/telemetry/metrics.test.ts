import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { SeriesHistogram } from '#telemetry/metrics/series-histogram.ts';
import { sampleOf, TEST_DEPLOYMENT } from '../support/metric-samples.ts';

describe('the metrics', () => {
  it('are Prometheus text: each metric described once, every line well-formed', async () => {
    const metrics = createMetrics(TEST_DEPLOYMENT);
    metrics.httpRequest({ method: 'GET', route: '/v1/x', status: 200, durationMs: 12 });
    metrics.httpRequest({ method: 'POST', route: '/v1/x', status: 201, durationMs: 12 });
    const text = await metrics.render();
    const types = text.match(/^# TYPE \S+/gm) ?? [];
    assert.equal(new Set(types).size, types.length);
    const sample = /^[a-z0-9_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (-?[0-9.e+-]+|\+Inf|NaN)$/;
    for (const line of text.trimEnd().split('\n')) {
      if (line !== '' && !line.startsWith('# ')) assert.match(line, sample);
    }
  });

  it('count requests in seconds, by method, route pattern and status', async () => {
    const metrics = createMetrics(TEST_DEPLOYMENT);
    metrics.httpRequest({ method: 'GET', route: '/v1/x/:id', status: 200, durationMs: 12 });
    metrics.httpRequest({ method: 'GET', route: '/v1/x/:id', status: 200, durationMs: 28 });
    const text = await metrics.render();
    const labels = 'method="GET",route="/v1/x/:id",status="200"';
    const name = 'http_request_duration_seconds';
    assert.equal(sampleOf(text, `${name}_count{${labels}}`), 2);
    assert.equal(sampleOf(text, `${name}_sum{${labels}}`), 0.04);
    assert.equal(sampleOf(text, `${name}_bucket{${labels},le="0.01"}`), 0);
    assert.equal(sampleOf(text, `${name}_bucket{${labels},le="0.025"}`), 1);
    assert.equal(sampleOf(text, `${name}_bucket{${labels},le="+Inf"}`), 2);
  });

  it('bound what callers can make up: methods and routes', async () => {
    const metrics = createMetrics(TEST_DEPLOYMENT);
    for (let n = 0; n < 500; n++) {
      metrics.httpRequest({ method: `M${n}`, route: `/r/${n}`, status: 404, durationMs: 1 });
    }
    const text = await metrics.render();
    const series = text.match(/^http_request_duration_seconds_count.*$/gm) ?? [];
    assert.equal(series.length, 201);
    assert.equal(
      sampleOf(
        text,
        'http_request_duration_seconds_count{method="other",route="other",status="404"}',
      ),
      300,
    );
  });

  it('count a request that took exactly a bound of a bucket below it', async () => {
    const metrics = createMetrics(TEST_DEPLOYMENT);
    const durations = [1, 10, 10.1, 31_000];
    for (const durationMs of durations) {
      metrics.httpRequest({ method: 'GET', route: '/v1/x', status: 200, durationMs });
    }
    const text = await metrics.render();
    const labels = 'method="GET",route="/v1/x",status="200"';
    const below = (le: string) =>
      sampleOf(text, `http_request_duration_seconds_bucket{${labels},le="${le}"}`);
    assert.deepEqual(['0.001', '0.01', '0.025', '30', '+Inf'].map(below), [1, 2, 3, 3, 4]);
  });

  it('go on counting after a collection', async () => {
    const metrics = createMetrics(TEST_DEPLOYMENT);
    const count = async () => {
      metrics.httpRequest({ method: 'GET', route: '/v1/x', status: 200, durationMs: 1 });
      metrics.paymentRequestMoved({ from: 'CREATED', to: 'PAID' });
      metrics.deliveryAttempt({
        eventType: 'PAYMENT-COMPLETED',
        outcome: 'SUCCEEDED',
        attempt: 1,
        durationMs: 1,
        lagMs: 1,
      });
      return metrics.render();
    };
    await count();
    const text = await count();
    const series = [
      'http_request_duration_seconds_count{method="GET",route="/v1/x",status="200"}',
      'payment_request_moves_total{from="CREATED",to="PAID"}',
      'webhook_delivery_attempts_total{outcome="SUCCEEDED",attempt="1"}',
      'webhook_delivery_duration_seconds_count{outcome="SUCCEEDED"}',
      'webhook_delivery_lag_seconds_count{event="PAYMENT-COMPLETED"}',
    ];
    for (const one of series) assert.equal(sampleOf(text, one), 2, one);
  });

  it('let series beyond the bound of a metric share one', () => {
    const histogram = new SeriesHistogram({
      name: 'x',
      description: 'x',
      boundaries: [1],
      mostSeries: 3,
    });
    for (const n of ['1', '2', '3', '4']) histogram.open({ n }).record(1);
    const { dataPoints } = histogram.collect();
    const counts = dataPoints.map(({ attributes, value }) => [attributes, value.count]);
    assert.deepEqual(counts, [
      [{ n: '1' }, 1],
      [{ n: '2' }, 1],
      [{ 'otel.metric.overflow': true }, 2],
    ]);
  });

  it('count delivery attempts by outcome and number, and the lag of first attempts', async () => {
    const metrics = createMetrics(TEST_DEPLOYMENT);
    metrics.deliveryAttempt({
      eventType: 'PAYMENT-COMPLETED',
      outcome: 'SUCCEEDED',
      attempt: 1,
      durationMs: 30,
      lagMs: 20,
    });
    metrics.deliveryAttempt({
      eventType: 'PAYMENT-COMPLETED',
      outcome: 'TIMED_OUT',
      attempt: 2,
      durationMs: 9_000,
      lagMs: null,
    });
    metrics.deliveryAttempt({
      eventType: 'PAYMENT-COMPLETED',
      outcome: 'TIMED_OUT',
      attempt: 99,
      durationMs: 9_000,
      lagMs: null,
    });
    const text = await metrics.render();
    const name = 'webhook_delivery_attempts_total';
    assert.equal(sampleOf(text, `${name}{outcome="SUCCEEDED",attempt="1"}`), 1);
    assert.equal(sampleOf(text, `${name}{outcome="TIMED_OUT",attempt="2"}`), 1);
    assert.equal(sampleOf(text, `${name}{outcome="TIMED_OUT",attempt="other"}`), 1);
    const lag = (part: string) =>
      sampleOf(text, `webhook_delivery_lag_seconds_${part}{event="PAYMENT-COMPLETED"}`);
    assert.deepEqual([lag('count'), lag('sum')], [1, 0.02]);
  });

  it('count moves, expired leases and failed loops', async () => {
    const metrics = createMetrics(TEST_DEPLOYMENT);
    metrics.paymentRequestMoved({ from: null, to: 'CREATED' });
    metrics.paymentRequestMoved({ from: 'CREATED', to: 'PAID' });
    metrics.leaseExpired(3);
    metrics.loopFailed('deliver-webhooks');
    const text = await metrics.render();
    assert.equal(sampleOf(text, 'payment_request_moves_total{from="none",to="CREATED"}'), 1);
    assert.equal(sampleOf(text, 'payment_request_moves_total{from="CREATED",to="PAID"}'), 1);
    assert.equal(sampleOf(text, 'webhook_leases_expired_total'), 3);
    assert.equal(sampleOf(text, 'background_loop_failures_total{loop="deliver-webhooks"}'), 1);
  });

  it('ask for the pool at each collection', async () => {
    const metrics = createMetrics(TEST_DEPLOYMENT);
    let waiting = 1;
    metrics.observePool(() => ({ open: 5, idle: 2, waiting }));
    const before = await metrics.render();
    assert.equal(sampleOf(before, 'database_pool_connections{state="busy"}'), 3);
    assert.equal(sampleOf(before, 'database_pool_waiting'), 1);
    waiting = 0;
    assert.equal(sampleOf(await metrics.render(), 'database_pool_waiting'), 0);
  });

  it('carry the environment on every series, and the version on one', async () => {
    const metrics = createMetrics({ environment: 'production', version: '1.2.3' });
    metrics.httpRequest({ method: 'GET', route: '/', status: 200, durationMs: 1 });
    const lines = (await metrics.render()).split('\n').filter((line) => /^[a-z]/.test(line));
    assert.ok(lines.length > 10);
    for (const line of lines) assert.match(line, /[{,]environment="production"[,}]/);
    const build = lines.find((line) => line.startsWith('service_build_info'));
    assert.match(build ?? '', /version="1\.2\.3",node="\d+\.\d+\.\d+".*\} 1$/);
  });

  it('tell how the process is', async () => {
    const text = await createMetrics(TEST_DEPLOYMENT).render();
    for (const name of [
      'process_cpu_seconds_total',
      'process_start_time_seconds',
      'nodejs_heap_used_bytes',
      'nodejs_eventloop_utilization_ratio',
    ]) {
      assert.ok(sampleOf(text, name) !== undefined, name);
    }
  });
});
