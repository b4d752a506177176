import type { Attributes, Span } from '@opentelemetry/api';
import type { OpenSpan } from '#lib/call-context.ts';
import { parseTraceparent } from '#lib/traceparent.ts';
import { type Deployment, resourceOf } from '#telemetry/deployment.ts';
import type { TraceMetrics } from '#telemetry/metrics/trace-metrics.ts';

/**
 * A few seconds of spans at full speed, about 10 MB; beyond this limit spans are dropped, not
 * calls.
 */
const MOST_QUEUED = 8_192;
const MOST_AT_ONCE = 512;
const EXPORT_INTERVAL_MS = 2_000;
/** A silent collector holds one request for this long. */
const EXPORT_TIMEOUT_MS = 5_000;
/** A stop waits no longer for a collector; the remaining spans are lost. */
const SHUTDOWN_TIMEOUT_MS = 3_000;
/** Identifiers and route patterns are far shorter. */
const LONGEST_ATTRIBUTE = 200;
const MOST_ATTRIBUTES = 20;

export type SpanKind = 'server' | 'client' | 'internal';

/** A span with the header that passes it on. */
export interface TracedSpan extends OpenSpan {
  /** W3C trace context of this span, for its consequences. */
  readonly traceparent: string;
  /** Starts a span below this one. */
  child(name: string): OpenSpan;
  /** Identifiers and closed lists only: never text that a payer or a merchant typed. */
  set(attributes: Attributes): void;
  rename(name: string): void;
}

export interface Tracing {
  /**
   * @param parent the W3C header that the span continues; null: a new trace
   * @param link the W3C header of a cause in another trace
   */
  start(name: string, kind: SpanKind, parent: string | null, link?: string | null): TracedSpan;
  /** Sends the queue, for at most 3 s. */
  stop(): Promise<void>;
}

export interface TracingOptions {
  /** The collector's OTLP/HTTP address, as in http://collector:4318/v1/traces; null: no traces. */
  readonly url: string | null;
  readonly deployment: Deployment;
  readonly metrics: TraceMetrics;
}

/**
 * Starts the export of traces by OTLP (OpenTelemetry). Without an endpoint nothing is loaded. The
 * export follows the caller's decision to record a trace (`sampled` of its header).
 */
export async function startTracing(options: TracingOptions): Promise<Tracing | null> {
  const { url, deployment, metrics } = options;
  if (url === null) return null;
  const api = await import('@opentelemetry/api');
  const provider = await openProvider({ url, deployment, metrics });
  const tracer = provider.getTracer('payment-requests', deployment.version);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } = api;

  function spanContextOf(header: string | null | undefined) {
    const read = parseTraceparent(header);
    if (!read) return null;
    const traceFlags = read.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return { ...read, traceFlags, isRemote: true };
  }

  function contextOf(parent: string | null) {
    const context = spanContextOf(parent);
    return context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
  }

  function open(span: Span): OpenSpan {
    return {
      end(error) {
        if (error !== undefined) {
          // Its name only: a message may quote typed text.
          const message = error instanceof Error ? error.name : 'error';
          span.setStatus({ code: SpanStatusCode.ERROR, message });
        }
        span.end();
      },
    };
  }

  return {
    start(name, kind, parent, link) {
      const { SERVER: server, CLIENT: client, INTERNAL: internal } = SpanKind;
      const cause = spanContextOf(link);
      const links = cause ? [{ context: cause }] : [];
      const options = { kind: { server, client, internal }[kind], links };
      const span = tracer.startSpan(name, options, contextOf(parent));
      const { traceId, spanId, traceFlags } = span.spanContext();
      const flags = (traceFlags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED ? '01' : '00';
      return {
        ...open(span),
        traceparent: `00-${traceId}-${spanId}-${flags}`,
        child: (below) => open(tracer.startSpan(below, {}, trace.setSpan(ROOT_CONTEXT, span))),
        set: (attributes) => void span.setAttributes(attributes),
        rename: (better) => void span.updateName(better),
      };
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, SHUTDOWN_TIMEOUT_MS);
      });
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}

/** Loads the exporter, and makes the provider that sends spans to it in batches. */
async function openProvider({
  url,
  deployment,
  metrics,
}: TracingOptions & { readonly url: string }) {
  const { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } = await import(
    '@opentelemetry/sdk-trace'
  );
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const exporter = new OTLPTraceExporter({
    url,
    timeoutMillis: EXPORT_TIMEOUT_MS,
    concurrencyLimit: 2,
  });
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      metrics.spansExported(spans.length, result.code === 0 ? 'exported' : 'failed');
      done(result);
    });
  return new TracerProvider({
    resource: resourceOf(deployment),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanLimits: {
      attributeValueLengthLimit: LONGEST_ATTRIBUTE,
      attributeCountLimit: MOST_ATTRIBUTES,
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MOST_QUEUED,
        maxExportBatchSize: MOST_AT_ONCE,
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
}
