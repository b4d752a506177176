import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { systemClock } from '#lib/clock.ts';
import { createParentMetrics } from '#processes/parent-metrics.ts';
import { BANK_ALERTS } from '#telemetry/metrics/bank-metrics.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { REFUSED_SIGN_INS } from '#telemetry/metrics/sign-in-metrics.ts';
import { OPERATOR_NOTICES } from '#telemetry/metrics/webhook-metrics.ts';
import { databaseReadings } from '../../src/compose/database-readings.ts';
import { TEST_DEPLOYMENT } from '../support/metric-samples.ts';
import { startTestService } from '../support/service/service.ts';

const read = (name: string) =>
  readFileSync(new URL(`../../../docs/operations/${name}`, import.meta.url), 'utf8');

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly targets: readonly { readonly expr: string }[];
}
const panels: readonly Panel[] = JSON.parse(read('grafana-dashboard.json')).panels;
const files = ['alerts.yaml', 'slo.yaml'].map(read).join('\n');
/** Each rule from its name on: the files are plain enough to be read by lines. */
const rules = files
  .split('- alert: ')
  .slice(1)
  .map((text) => ({
    name: text.split('\n')[0] ?? '',
    expr: /^\s*expr: (.+)$/m.exec(text)?.[1] ?? '',
    summary: /^\s*summary: (.+)$/m.exec(text)?.[1] ?? '',
    action: /^\s*action: (.+)$/m.exec(text)?.[1] ?? '',
    runbook: /^\s*runbook_url: (.+)$/m.exec(text)?.[1] ?? '',
  }));
/** Metrics that Prometheus computes from others. */
const records = [...files.matchAll(/- record: (\S+)\n.*\n\s*expr: (.+)/g)].map(
  ([, name = '', expr = '']) => ({ name, expr }),
);
const exprs = () =>
  [...panels.flatMap(({ targets }) => targets), ...rules, ...records].map(({ expr }) => expr);

const NO_METRICS = new Set([
  ...['sum', 'max', 'min', 'rate', 'increase', 'histogram_quantile', 'absent', 'abs'],
  ...['or', 'and', 'unless', 'offset', 'w', 'up'],
]);

/** The metrics of an expression, without labels, groupings, spans and functions. */
function metricsOf(expr: string): string[] {
  const bare = expr.replace(
    /\{[^}]*\}|\[[^\]]*\]|\b(by|without) \([^)]*\)|\bslo:\w+:\w+|\boffset \w+/g,
    '',
  );
  return (bare.match(/[a-z_][a-z0-9_]+/g) ?? []).filter((word) => !NO_METRICS.has(word));
}

/** Only an account that needs statements, and a connection, have a series. */
const ROWS: Readonly<Record<string, readonly object[]>> = {
  'bank-accounts-find-expected': [{ key: 'a', since: new Date(0), now: new Date(0) }],
  'bank-connection-list': [{ number: 1, badSeconds: 0 }],
};
const rowsOf = (name: string) => ROWS[name] ?? [];

/** Every metric there is, measured once. */
async function emitted(): Promise<string> {
  const metrics = createMetrics(TEST_DEPLOYMENT);
  metrics.httpRequest({ method: 'GET', route: '/', status: 200, durationMs: 1 });
  metrics.paymentRequestMoved({ from: null, to: 'CREATED' });
  metrics.deliveryAttempt({
    eventType: 'PAYMENT-COMPLETED',
    outcome: 'SUCCEEDED',
    attempt: 1,
    durationMs: 1,
    lagMs: 1,
  });
  metrics.leaseExpired(1);
  metrics.loopFailed('loop');
  metrics.simulationLate(1);
  metrics.networkCall({ call: 'create', outcome: 'failed', durationMs: 1 });
  metrics.networkReport({ state: 'SETTLED', verdict: 'TAKEN' });
  metrics.operatorCaseOpened('AMOUNT_MISMATCH');
  metrics.operatorNotice('ENDPOINT_PAUSED');
  metrics.messageEnded('REQUEST', 'EMAIL', 'SENT');
  metrics.callShed('merchant');
  metrics.batched('create', 1);
  metrics.observeLoops(() => [{ name: 'loop', intervalMs: 1, longestRunMs: 1, sinceMs: 1 }]);
  metrics.observeClock(() => 0);
  metrics.observeLoad(() => ({ inFlight: 1, permits: 1 }));
  metrics.observeDatabase({
    db: { transaction: (work) => work({ query: async ({ name }) => rowsOf(name) as never[] }) },
    clock: systemClock,
    readings: databaseReadings({ bank: { calendar: 'TARGET' } }),
  });
  metrics.observePool(() => ({ open: 1, idle: 1, waiting: 0 }));
  const parent = await createParentMetrics(TEST_DEPLOYMENT).render({
    wanted: 2,
    answering: 2,
    restarts: 0,
  });
  return (await metrics.render()) + parent;
}
const hasSample = (text: string, name: string) => new RegExp(`^${name}[{ ]`, 'm').test(text);

describe('the documents for operators', () => {
  it('name only metrics that are emitted, in the dashboard and in the alerts', async () => {
    const text = await emitted();
    const named = new Set(exprs().flatMap(metricsOf));
    assert.ok(named.size > 15, `only ${named.size} metrics are named`);
    assert.deepEqual(
      [...named].filter((name) => !hasSample(text, name)),
      [],
    );
  });

  it('select only by labels that the metrics have', async () => {
    const text = await emitted();
    for (const expr of exprs()) {
      for (const [, metric = '', labels = ''] of expr.matchAll(/([a-z0-9_]+)\{([^}]*)\}/g)) {
        if (metric === 'up') continue;
        for (const [, label = ''] of labels.matchAll(/([a-z]+)=/g)) {
          assert.match(text, new RegExp(`^${metric}\\{[^}]*\\b${label}="`, 'm'), expr);
        }
      }
    }
    const kinds = rules.flatMap(({ expr }) => expr.match(/[A-Z]+_[A-Z_]+/g) ?? []);
    const known: readonly string[] = [
      ...OPERATOR_NOTICES,
      ...BANK_ALERTS,
      ...Object.values(REFUSED_SIGN_INS).flat(),
    ];
    assert.deepEqual(
      kinds.filter((kind) => !known.includes(kind)),
      [],
    );
  });

  it('say of every alert and panel what to do', () => {
    assert.ok(rules.length >= 10);
    for (const { name, expr, summary, action } of rules) {
      assert.ok(expr && summary && action.length > 20, name);
    }
    for (const { title, description, targets } of panels) {
      assert.ok(description.length > 20 && targets.length > 0, title);
    }
  });

  it('have a section for each alert, and the alert names the section', () => {
    const sections = [...read('alerts.md').matchAll(/^## (\w+)\n\n([^#]+)/gm)];
    const names = sections.map(([, name]) => name);
    assert.deepEqual(names.sort(), rules.map(({ name }) => name).sort());
    for (const [, name, text = ''] of sections) assert.ok(text.length > 80, name);
    for (const { name, runbook } of rules) {
      assert.equal(runbook, `docs/operations/alerts.md#${name.toLowerCase()}`);
    }
  });

  it('record each burn rate that an alert reads', () => {
    const recorded = new Set(records.map(({ name }) => name));
    const named = rules.flatMap(({ expr }) => expr.match(/\bslo:\w+:\w+/g) ?? []);
    assert.deepEqual(new Set(named), recorded);
  });

  it('select the creations by a route that the service counts', async () => {
    const service = await startTestService({ roles: ['api'] });
    try {
      const { headers } = await service.createMerchant();
      const body = { amount: 1, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
      await service.call('POST', '/v1/payment-requests', { headers, body });
      const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
      const [, pattern = 'none'] = /method="POST",route=~"([^"]+)"/.exec(files) ?? [];
      const routes = [...text.matchAll(/_count\{.*method="POST",route="([^"]+)",status="201"/g)];
      assert.ok(
        routes.some(([, route = '']) => new RegExp(`^${pattern}$`).test(route)),
        text,
      );
      const { paths } = (await service.call('GET', '/openapi.json')).json;
      const counted = Object.keys(paths).filter((path) => new RegExp(`^${pattern}$`).test(path));
      assert.equal(counted.length, 1);
    } finally {
      await service.stop();
    }
  });

  it('are about what a running service shows from its start', async () => {
    const service = await startTestService();
    try {
      const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
      for (const name of [
        'operator_notices_total',
        'operator_cases_opened_total',
        'webhook_leases_expired_total',
        'webhook_feed_lag_seconds',
        'webhook_oldest_due_seconds',
        'webhook_deliveries_pending',
        'webhook_destinations_probed',
        'database_pool_waiting',
        'http_requests_shed_total',
        'http_requests_in_flight_limit',
      ]) {
        assert.ok(hasSample(text, name), name);
      }
      assert.match(text, /^webhook_feed_lag_seconds\{environment="sandbox"\} [0-9.]+$/m);
    } finally {
      await service.stop();
    }
  });
});
