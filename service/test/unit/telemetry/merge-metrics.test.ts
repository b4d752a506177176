import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeMetrics } from '#telemetry/metrics/merge-metrics.ts';
import { createMetrics } from '#telemetry/metrics/metrics.ts';
import { TEST_DEPLOYMENT } from '../../support/metric-samples.ts';

describe('the metrics of several processes', () => {
  it('stand side by side: each described once, each series with its process', () => {
    const textOf = (value: number) =>
      `# HELP calls_total Calls.\n# TYPE calls_total counter\ncalls_total{route="/{a}"} ${value}\n` +
      `# HELP up_seconds Time.\n# TYPE up_seconds gauge\nup_seconds ${value}.5\n`;
    const text = mergeMetrics([
      { process: '1', text: textOf(3) },
      { process: '2', text: textOf(4) },
    ]);
    assert.deepEqual(text.split('\n'), [
      '# HELP calls_total Calls.',
      '# TYPE calls_total counter',
      'calls_total{process="1",route="/{a}"} 3',
      'calls_total{process="2",route="/{a}"} 4',
      '# HELP up_seconds Time.',
      '# TYPE up_seconds gauge',
      'up_seconds{process="1"} 3.5',
      'up_seconds{process="2"} 4.5',
      '',
    ]);
  });

  it('keep every series of what a process really emits', async () => {
    const metrics = createMetrics(TEST_DEPLOYMENT);
    metrics.httpRequest({ method: 'GET', route: '/v1/x/:id', status: 200, durationMs: 12 });
    const text = await metrics.render();
    const merged = mergeMetrics([
      { process: '1', text },
      { process: '2', text },
    ]);
    const samples = (of: string) => of.split('\n').filter((line) => /^[a-z]/.test(line));
    assert.equal(samples(merged).length, 2 * samples(text).length);
    assert.ok(samples(merged).every((line) => /^[a-z0-9_]+\{process="[12]"[,}]/.test(line)));
    const heads = merged.match(/^# TYPE .+$/gm) ?? [];
    assert.deepEqual(new Set(heads).size, heads.length);
    assert.equal(heads.length, (text.match(/^# TYPE/gm) ?? []).length);
  });
});
