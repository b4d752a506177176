import { boundLabel } from './bounded-labels.ts';
import type { PrometheusReader } from './prometheus-reader.ts';
import { type Series, SeriesHistogram } from './series-histogram.ts';

export interface HttpRequestMeasured {
  readonly method: string;
  /** The route's pattern, never the requested address: it holds identifiers and short codes. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/**
 * HTTP: from a cached read (1 ms) over a creation with its commit (5–50 ms) to the longest call, a
 * read that waits 30 s.
 */
const BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Several times the number of values in the code today. */
const MOST_ROUTES = 200;

/** @param mostSeries the bound of series: 200 routes × a few methods and statuses */
export function measureHttp(reader: PrometheusReader, mostSeries: number) {
  const durations = reader.add(
    new SeriesHistogram({
      name: 'http_request_duration_seconds',
      description: 'How long requests took, by method, route pattern and status.',
      boundaries: BUCKETS_SECONDS,
      mostSeries,
    }),
  );
  const boundRoute = boundLabel(MOST_ROUTES);
  /** By route, method and status, each bounded: Node.js takes statuses from 100 to 999. */
  const known = new Map<string, Map<string, Map<number, Series>>>();

  function open(method: string, route: string, status: number): Series {
    const ofRoute = known.get(route) ?? new Map<string, Map<number, Series>>();
    const ofMethod = ofRoute.get(method) ?? new Map<number, Series>();
    const series = durations.open({ method, route, status: String(status) });
    known.set(route, ofRoute);
    ofRoute.set(method, ofMethod);
    ofMethod.set(status, series);
    return series;
  }

  return {
    httpRequest({ method: anyMethod, route: anyRoute, status, durationMs }: HttpRequestMeasured) {
      const method = METHODS.has(anyMethod) ? anyMethod : 'other';
      const route = boundRoute(anyRoute);
      const series = known.get(route)?.get(method)?.get(status) ?? open(method, route, status);
      series.record(durationMs / 1e3);
    },
  };
}
