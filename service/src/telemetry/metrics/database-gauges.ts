import type { Meter, ObservableGauge } from '@opentelemetry/api';
import type { Database, Executor } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { limitStatements } from './database-gauges-store.ts';

/** A gauge with a value from the database. */
export interface DatabaseGauge {
  readonly name: string;
  readonly description: string;
  /**
   * Its only label, with every value of the label; absent: one series. null: the values that the
   * reading names, which bounds their number.
   */
  readonly label?: { readonly name: string; readonly values: readonly string[] | null };
}

/**
 * By gauge name: a number, or a number for each value of the gauge's label. An absent gauge means
 * 0.
 */
export type GaugeValues = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** Gauges that one bounded statement fills. */
export interface DatabaseReading {
  /** The label `reading` of `database_gauges_up`. */
  readonly name: string;
  readonly gauges: readonly DatabaseGauge[];
  /** Its statements cost the same at any table size: partial indexes, LIMIT, estimates. */
  readonly read: (executor: Executor) => Promise<GaugeValues>;
}

export interface DatabaseGaugesDeps {
  readonly db: Pick<Database, 'transaction'>;
  readonly clock: Pick<Clock, 'steadyMs'>;
  readonly readings: readonly DatabaseReading[];
}

/**
 * Scrapers come every 10 to 60 s. Several scrapers then cost the database no more than a single
 * scraper.
 */
const REUSE_MS = 5_000;
/** A scraper waits 10 s by default; a silent database must not consume that time. */
const ROUND_TIMEOUT_MS = 2_000;
/** Values outside of the closed list: a newer version of the service wrote them. */
const OTHER = 'other';

/** The gauges that could be read, by reading. */
export type Round = ReadonlyMap<DatabaseReading, GaugeValues>;
/** Reads the gauges, at most once in 5 s and for at most 2 s. */
export type SharedReadings = () => Promise<Round>;
const NOTHING_READ: Round = new Map();

/**
 * Measures the state of the database, in every process and role. A gauge that cannot be read is
 * NaN, and `database_gauges_up` is 0 for its reading: a scrape never waits more than 2 s.
 */
export function measureDatabaseGauges(meter: Meter) {
  return {
    /** Reads these gauges for a scrape; at most once in 5 s, for any number of scrapers. */
    observeDatabase(deps: DatabaseGaugesDeps) {
      const latest = shareReadings(deps);
      const up = meter.createObservableGauge('database_gauges_up', {
        description: 'Whether gauges could be read from the database: 1, else 0; by reading.',
      });
      const gauges = new Map(
        deps.readings
          .flatMap((reading) => reading.gauges)
          .map(({ name, description }) => [
            name,
            meter.createObservableGauge(name, { description }),
          ]),
      );
      // By gauge: the values of an open label that this process has shown.
      const shown = new Map<string, Set<string>>();
      meter.addBatchObservableCallback(
        async (result) => {
          const round = await latest();
          for (const reading of deps.readings) {
            const values = round.get(reading);
            result.observe(up, values ? 1 : 0, { reading: reading.name });
            for (const gauge of reading.gauges) {
              const instrument = gauges.get(gauge.name) as ObservableGauge;
              for (const { value, labels } of seriesOf(gauge, values, shown)) {
                result.observe(instrument, value, labels);
              }
            }
          }
        },
        [up, ...gauges.values()],
      );
    },
  };
}

interface Series {
  readonly value: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** Every series of a gauge, at each collection: an absent series would keep its last value. */
function seriesOf(
  { name, label }: DatabaseGauge,
  values: GaugeValues | undefined,
  shown: Map<string, Set<string>>,
): Series[] {
  const value = values?.[name] ?? (values ? 0 : Number.NaN);
  if (!label) return [{ value: typeof value === 'number' ? value : Number.NaN, labels: {} }];
  const byLabel = typeof value === 'number' ? {} : value;
  const series = (text: string, missing: number) => ({
    value: byLabel[text] ?? missing,
    labels: { [label.name]: text },
  });
  if (label.values === null) {
    const all = shown.get(name) ?? new Set();
    shown.set(name, all);
    for (const text of Object.keys(byLabel)) all.add(text);
    return [...all].map((text) => series(text, Number.NaN));
  }
  const { values: listed } = label;
  const missing = values ? 0 : Number.NaN;
  const others = Object.keys(byLabel).filter((text) => !listed.includes(text));
  const sum = others.reduce((total, text) => total + (byLabel[text] ?? 0), missing);
  const known = listed.map((text) => series(text, missing));
  return [...known, { value: sum, labels: { [label.name]: OTHER } }];
}

/** Runs all readings in turn, on one connection at a time, and shares the result of a round. */
export function shareReadings({ db, clock, readings }: DatabaseGaugesDeps): SharedReadings {
  let round: Promise<Round> | undefined;
  let isRunning = false;
  let startedMs = Number.NEGATIVE_INFINITY;

  async function read(found: Map<DatabaseReading, GaugeValues>): Promise<void> {
    for (const reading of readings) {
      const values = await readOne(db, reading).catch((error: unknown) => error);
      if (!(values instanceof Error)) found.set(reading, values as GaugeValues);
      // Each of the other readings would wait for a connection just as long.
      else if (values.name === 'DatabaseUnavailable') return;
    }
  }

  async function start(): Promise<Round> {
    const found = new Map<DatabaseReading, GaugeValues>();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, ROUND_TIMEOUT_MS);
    isRunning = true;
    const over = read(found).finally(() => {
      isRunning = false;
    });
    await Promise.race([over, late.promise]);
    clearTimeout(timer);
    // Readings after the deadline belong to no scrape.
    return new Map(found);
  }

  return () => {
    const nowMs = clock.steadyMs();
    if (round && nowMs - startedMs < REUSE_MS) return round;
    // A round that hangs holds one connection; a second round would hold another.
    if (isRunning) return Promise.resolve(NOTHING_READ);
    startedMs = nowMs;
    round = start();
    return round;
  };
}

function readOne(db: DatabaseGaugesDeps['db'], { read }: DatabaseReading): Promise<GaugeValues> {
  return db.transaction(async (tx) => {
    await limitStatements(tx);
    return read(tx);
  });
}
