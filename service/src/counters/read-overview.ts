import type { Executor } from '#database/database.ts';
import {
  findCounterVersions,
  findTimes,
  isHistoryCounted,
  type MerchantSums,
  sumMerchants,
  sumSlots,
} from './counters-store.ts';
import { ALL_MERCHANTS, type CounterSums, combine, NO_SUMS } from './model/counters.ts';
import { type Slots, type SpanName, slotsOf } from './model/slots.ts';
import { medianSeconds } from './model/time-classes.ts';

export interface OverviewScope {
  /** null: all merchants. */
  readonly merchantId: string | null;
  readonly span: SpanName;
  readonly now: Date;
  /** The zone whose days and hours count. */
  readonly timeZone: string;
}

export type { MerchantSums } from './counters-store.ts';

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
  /** The day before, up to the present time of day. */
  readonly yesterday: CounterSums;
  readonly span: CounterSums;
  readonly slots: Slots;
  /** The sums of each slot, oldest first. */
  readonly bySlot: readonly CounterSums[];
}

/** Reads the counters of a merchant, or of all merchants: some milliseconds at any size. */
export async function readOverview(
  db: Executor,
  { merchantId, span, now, timeZone }: OverviewScope,
): Promise<Overview> {
  const owner = merchantId ?? ALL_MERCHANTS;
  const slots = slotsOf(span, now, timeZone);
  const { starts, to, today, yesterday, sameTime } = slots;
  // First: figures that are newer than their version are only shown again.
  const versions = await findCounterVersions(db, [owner]);
  const hasHistory = await isHistoryCounted(db);
  const bySlot = await sumSlots(db, owner, starts, to);
  const [earlier = NO_SUMS, , ofToday = NO_SUMS] = await sumSlots(
    db,
    owner,
    [yesterday, sameTime, today],
    to,
  );
  const times = await findTimes(db, owner, { from: today, to });
  return {
    version: versions.get(owner) ?? 0,
    isHistoryCounted: hasHistory,
    today: { sums: ofToday, medianSeconds: medianSeconds(times) },
    yesterday: earlier,
    span: bySlot.reduce((sums, slot) => combine(sums, slot), NO_SUMS),
    slots,
    bySlot,
  };
}

/** Merchants that a page shows; the others are one line. */
const MOST_MERCHANTS = 25;

/** Today's sums of the merchants of the latest events, for operators. */
export function readMerchantsToday(
  db: Executor,
  { slots: { today, to } }: Overview,
): Promise<MerchantSums[]> {
  return sumMerchants(db, { from: today, to }, MOST_MERCHANTS);
}
