import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import { observeUncaughtErrors } from '#telemetry/uncaught-errors.ts';

/** Fine enough for a pause that a caller would notice; a finer interval only costs wake-ups. */
const EVENT_LOOP_RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;

/** Registers the process's own gauges: CPU, memory, event loop, files, errors. */
export function observeProcess(meter: Meter): void {
  observeUse(meter);
  observeEventLoop(meter);
  observeUncaughtErrors(meter);
}

function observeUse(meter: Meter): void {
  meter
    .createObservableCounter('process_cpu_seconds_total', {
      description: 'CPU time that this process has used, user and system.',
    })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe((user + system) / 1e6);
    });
  meter
    .createObservableGauge('process_start_time_seconds', {
      description: 'When this process started, in seconds since 1970.',
    })
    .addCallback((result) => result.observe(performance.timeOrigin / 1e3));
  meter
    .createObservableGauge('process_resident_memory_bytes', {
      description: 'Memory of this process that is in RAM.',
    })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  meter
    .createObservableGauge('nodejs_heap_used_bytes', {
      description: 'Memory that JavaScript objects use.',
    })
    .addCallback((result) => result.observe(process.memoryUsage().heapUsed));
  meter
    .createObservableGauge('process_open_fds', {
      description: 'Open files and sockets (Linux only).',
    })
    .addCallback(async (result) => {
      const files = await readdir('/proc/self/fd').catch(() => undefined);
      if (files) result.observe(files.length);
    });
}

function observeEventLoop(meter: Meter): void {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  // Three gauges: a label "quantile" belongs to summaries, and Prometheus's own check refuses it
  // elsewhere.
  const late = (part: string, words: string) =>
    meter.createObservableGauge(`nodejs_eventloop_delay_${part}_seconds`, {
      description: `How late the event loop was since the last collection: ${words}.`,
    });
  const median = late('p50', 'the median');
  const high = late('p99', 'the 99th percentile');
  const longest = late('max', 'the longest delay');
  const utilizationGauge = meter.createObservableGauge('nodejs_eventloop_utilization_ratio', {
    description: 'Share of the time since the last collection in which the event loop was busy.',
  });
  meter.addBatchObservableCallback(
    (result) => {
      // The histogram includes the interval itself: a loop without delay shows 10 ms.
      const lateSeconds = (nanoseconds: number) =>
        Math.max(0, nanoseconds / NANOSECONDS - EVENT_LOOP_RESOLUTION_MS / 1e3);
      result.observe(median, lateSeconds(delay.percentile(50)));
      result.observe(high, lateSeconds(delay.percentile(99)));
      result.observe(longest, lateSeconds(delay.max));
      delay.reset();
      const now = performance.eventLoopUtilization();
      result.observe(utilizationGauge, performance.eventLoopUtilization(now, before).utilization);
      before = now;
    },
    [median, high, longest, utilizationGauge],
  );
}
