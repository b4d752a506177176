import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics } from '#telemetry/metrics.ts';

/** The value of one series, or undefined when the text does not have it. */
function sampleOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

describe('the metrics', () => {
  it('are Prometheus text: each metric described once, every line well-formed', async () => {
    const metrics = createMetrics();
    metrics.httpRequest({ method: 'GET', route: '/v1/x', status: 200, durationMs: 12 });
    metrics.httpRequest({ method: 'POST', route: '/v1/x', status: 201, durationMs: 12 });
    const text = await metrics.render();
    const types = text.match(/^# TYPE \S+/gm) ?? [];
    assert.equal(new Set(types).size, types.length);
    const sample = /^[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (-?[0-9.e+-]+|\+Inf|NaN)$/;
    for (const line of text.trimEnd().split('\n')) {
      if (line !== '' && !line.startsWith('# ')) assert.match(line, sample);
    }
  });

  it('count requests in seconds, by method, route pattern and status', async () => {
    const metrics = createMetrics();
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
    const metrics = createMetrics();
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

  it('count delivery attempts by outcome and number, and the lag of first attempts', async () => {
    const metrics = createMetrics();
    metrics.deliveryAttempt({ outcome: 'SUCCEEDED', attempt: 1, durationMs: 30, lagMs: 20 });
    metrics.deliveryAttempt({ outcome: 'TIMED_OUT', attempt: 2, durationMs: 9_000, lagMs: null });
    metrics.deliveryAttempt({ outcome: 'TIMED_OUT', attempt: 99, durationMs: 9_000, lagMs: null });
    const text = await metrics.render();
    const name = 'webhook_delivery_attempts_total';
    assert.equal(sampleOf(text, `${name}{outcome="SUCCEEDED",attempt="1"}`), 1);
    assert.equal(sampleOf(text, `${name}{outcome="TIMED_OUT",attempt="2"}`), 1);
    assert.equal(sampleOf(text, `${name}{outcome="TIMED_OUT",attempt="other"}`), 1);
    assert.equal(sampleOf(text, 'webhook_delivery_lag_seconds_count'), 1);
    assert.equal(sampleOf(text, 'webhook_delivery_lag_seconds_sum'), 0.02);
  });

  it('count moves, expired leases and failed loops', async () => {
    const metrics = createMetrics();
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

  it('ask for backlog and pool at each collection', async () => {
    const metrics = createMetrics();
    let pending = 4;
    metrics.observeBacklog(async () => ({
      pending,
      oldestDueSeconds: 1.5,
      probedDestinations: 2,
    }));
    metrics.observePool(() => ({ open: 5, idle: 2, waiting: 1 }));
    const before = await metrics.render();
    assert.equal(sampleOf(before, 'webhook_deliveries_pending'), 4);
    assert.equal(sampleOf(before, 'webhook_oldest_due_seconds'), 1.5);
    assert.equal(sampleOf(before, 'webhook_destinations_probed'), 2);
    assert.equal(sampleOf(before, 'database_pool_connections{state="busy"}'), 3);
    assert.equal(sampleOf(before, 'database_pool_waiting'), 1);
    pending = 0;
    assert.equal(sampleOf(await metrics.render(), 'webhook_deliveries_pending'), 0);
  });

  it('show a gauge that cannot be read as unknown, and give all the others', async () => {
    const metrics = createMetrics();
    let broken = false;
    metrics.observeBacklog(async () => {
      if (broken) throw new Error('no database');
      return { pending: 4, oldestDueSeconds: 0, probedDestinations: 0 };
    });
    await metrics.render();
    broken = true;
    const text = await metrics.render();
    assert.equal(sampleOf(text, 'webhook_deliveries_pending'), Number.NaN);
    assert.ok(sampleOf(text, 'process_resident_memory_bytes'));
  });

  it('do not wait for ever for a gauge', { timeout: 10_000 }, async () => {
    const metrics = createMetrics();
    metrics.observeBacklog(() => new Promise(() => {}));
    const text = await metrics.render();
    assert.equal(sampleOf(text, 'webhook_oldest_due_seconds'), Number.NaN);
    assert.ok(sampleOf(text, 'process_resident_memory_bytes'));
  });

  it('let overlapping scrapes share one reading', async () => {
    const metrics = createMetrics();
    let reads = 0;
    metrics.observeBacklog(async () => {
      reads++;
      return { pending: 0, oldestDueSeconds: 0, probedDestinations: 0 };
    });
    const texts = await Promise.all([metrics.render(), metrics.render(), metrics.render()]);
    assert.equal(reads, 1);
    assert.equal(texts[0], texts[2]);
  });

  it('tell how the process is', async () => {
    const text = await createMetrics().render();
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
