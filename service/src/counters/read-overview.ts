import type { Executor } from '#database/database.ts';
import { findCounterVersions, findTimes, isHistoryCounted, sumSlots } from './counters-store.ts';
import { ALL_MERCHANTS, type CounterSums, NO_SUMS } from './model/counters.ts';
import { type Slots, type SpanName, slotsOf } from './model/slots.ts';
import { medianSeconds } from './model/time-classes.ts';

/** Days begin once a day: their 31 instants are not looked for again in each call. */
const MOST_KEPT = 16;

export interface OverviewDeps {
  readonly db: Executor;
  /** `TIME_ZONE` */
  readonly timeZone: string;
}

export interface OverviewAsked {
  /** null: all merchants. */
  readonly merchantId: string | null;
  readonly span: SpanName;
  readonly now: Date;
}

/** Sums of a span, with the median time to pay of its payments. */
export interface Figures {
  readonly sums: CounterSums;
  /** null: nothing was paid. */
  readonly medianSeconds: number | null;
}

export interface Overview {
  /** Grows with each change of the figures. */
  readonly version: number;
  /** false: rows of a restored dump are still being counted. */
  readonly isHistoryCounted: boolean;
  readonly today: Figures;
  readonly span: Figures;
  readonly slots: Slots;
  /** The sums of each slot, oldest first. */
  readonly bySlot: readonly CounterSums[];
}

/** Reads the counters of a merchant, or of all merchants: some milliseconds at any size. */
export async function readOverview(
  { db, timeZone }: OverviewDeps,
  { merchantId, span, now }: OverviewAsked,
): Promise<Overview> {
  const owner = merchantId ?? ALL_MERCHANTS;
  const slots = keptSlots(span, now, timeZone);
  const { starts, to, today } = slots;
  // First: figures that are newer than their version are only shown again.
  const versions = await findCounterVersions(db, [owner]);
  const hasHistory = await isHistoryCounted(db);
  const bySlot = await sumSlots(db, owner, starts, to);
  const [ofToday = NO_SUMS] = await sumSlots(db, owner, [today], to);
  const [first = today] = starts;
  const [all = NO_SUMS] = await sumSlots(db, owner, [first], to);
  const times = await findTimes(db, owner, { from: first, to });
  const timesOfToday = await findTimes(db, owner, { from: today, to });
  return {
    version: versions.get(owner) ?? 0,
    isHistoryCounted: hasHistory,
    today: { sums: ofToday, medianSeconds: medianSeconds(timesOfToday) },
    span: { sums: all, medianSeconds: medianSeconds(times) },
    slots,
    bySlot,
  };
}

const kept = new Map<string, Slots>();

/** The slots of an hour stay the same: a zone's calendar costs a millisecond. */
function keptSlots(span: SpanName, now: Date, timeZone: string): Slots {
  const name = `${span} ${timeZone} ${now.toISOString().slice(0, 13)}`;
  const found = kept.get(name);
  // In zones off the full hour, and where clocks change, the slots end within the hour.
  if (found && found.to > now) return found;
  const slots = slotsOf(span, now, timeZone);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(name, slots);
  return slots;
}
