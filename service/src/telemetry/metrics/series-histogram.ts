import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
} from '@opentelemetry/sdk-metrics';

/** A series: the counts of its values, and their sum. */
export interface Series {
  record(value: number): void;
}

export interface SeriesHistogramOptions {
  readonly name: string;
  readonly description: string;
  /** The upper bounds of the buckets, each inclusive, in rising order. */
  readonly boundaries: readonly number[];
  /** Beyond this number the values of new series share one series. */
  readonly mostSeries: number;
}

/** Prometheus text has no times of its own. */
const NO_TIME: HrTime = [0, 0];
/** The attribute by which the SDK marks the series that others share. */
const SHARED: Attributes = { 'otel.metric.overflow': true };

/**
 * A histogram whose callers keep their series. The SDK's histogram sorts and writes the attributes
 * of each value as JSON to find its series, at every call of the service.
 */
export class SeriesHistogram {
  readonly #options: SeriesHistogramOptions;
  readonly #series: CountedSeries[] = [];
  #shared: CountedSeries | null = null;

  constructor(options: SeriesHistogramOptions) {
    this.#options = options;
  }

  /** Opens the series of these attributes. Call it once for them, and keep the result. */
  open(attributes: Attributes): Series {
    const { boundaries, mostSeries } = this.#options;
    // The SDK's own limit counts the shared series, too.
    if (this.#series.length < mostSeries - 1) return this.#add(attributes, boundaries);
    this.#shared ??= this.#add(SHARED, boundaries);
    return this.#shared;
  }

  /** The series as the SDK gives them to its exporters. */
  collect(): HistogramMetricData {
    const { name, description } = this.#options;
    return {
      descriptor: { name, description, unit: '', valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: this.#series.map((series) => ({
        startTime: NO_TIME,
        endTime: NO_TIME,
        attributes: series.attributes,
        value: series.value(),
      })),
    };
  }

  #add(attributes: Attributes, boundaries: readonly number[]): CountedSeries {
    const series = new CountedSeries(attributes, boundaries);
    this.#series.push(series);
    return series;
  }
}

class CountedSeries implements Series {
  readonly attributes: Attributes;
  readonly #boundaries: readonly number[];
  /** The values of each bucket, and behind them those above the last boundary. */
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  constructor(attributes: Attributes, boundaries: readonly number[]) {
    this.attributes = attributes;
    this.#boundaries = boundaries;
    this.#counts = [...boundaries, Number.POSITIVE_INFINITY].map(() => 0);
  }

  record(value: number): void {
    let bucket = 0;
    while (bucket < this.#boundaries.length && value > (this.#boundaries[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count += 1;
    this.#sum += value;
  }

  value() {
    const buckets = { boundaries: [...this.#boundaries], counts: [...this.#counts] };
    return { buckets, count: this.#count, sum: this.#sum };
  }
}
