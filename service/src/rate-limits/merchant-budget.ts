import type { DatabaseDeps } from '#database/database.ts';
import { type CallKind, takeFromSecond } from './rate-limit-store.ts';
import { createSecondWindow } from './second-window.ts';

/**
 * A process takes a twentieth of the budget at a time. A merchant at its limit costs 20 small
 * statements a second, and a process is off by at most one such lot (docs/decisions/0008).
 */
const LOTS = 20;

export interface MerchantBudgetOptions extends DatabaseDeps {
  readonly kind: CallKind;
  /** Calls of one merchant in one second, over all processes; 0: no limit. */
  readonly limit: number;
}

/** The budget that a call found. */
export interface Spent {
  readonly isAllowed: boolean;
  readonly kind: CallKind;
  readonly limit: number;
  /** The remaining calls of this second, as far as this process knows. */
  readonly remaining: number;
  /** Whole seconds until the next budget. */
  readonly resetSeconds: number;
}

export type MerchantBudget = ReturnType<typeof createMerchantBudget>;

/** The count of a merchant in one second, in one process. */
interface Count {
  spent: number;
  /** The known bound of `spent`. */
  allowed: number;
  /** The calls that the database has counted for this process. */
  told: number;
  /** The calls that other processes had taken at the last statement. */
  takenByOthers: number;
  isUsedUp: boolean;
  asking: Promise<void> | null;
}

/**
 * The budget of every merchant for one kind of call (contract §7, 429). The database counts in
 * lots, the first of each second on credit. A merchant with few calls costs no statement, and a
 * merchant has its whole budget, however its calls are spread over processes.
 */
export function createMerchantBudget(options: MerchantBudgetOptions) {
  const { db, clock, kind, limit } = options;
  const credit = Math.floor(limit / LOTS);
  const lot = Math.max(1, credit);
  const counts = createSecondWindow<Count>(clock, () => ({
    spent: 0,
    allowed: credit,
    told: 0,
    takenByOthers: 0,
    isUsedUp: false,
    asking: null,
  }));

  async function fetchLot(merchantId: string, count: Count): Promise<void> {
    const calls = count.allowed - count.told + lot;
    const taken = await takeFromSecond(db, { merchantId, kind, calls });
    count.told += calls;
    count.takenByOthers = taken - count.told;
    const isWhole = taken <= limit;
    count.allowed += isWhole ? lot : Math.max(0, limit - (taken - lot));
    count.isUsedUp = !isWhole;
  }

  function remainingOf({ spent, allowed, takenByOthers, isUsedUp }: Count): number {
    return Math.max(0, isUsedUp ? allowed - spent : limit - takenByOthers - spent);
  }

  const needsLot = (count: Count) => count.spent >= count.allowed && !count.isUsedUp;

  async function spendAfterLots(merchantId: string, count: Count): Promise<Spent> {
    // Each turn brings a lot or the end of the budget, so the lots bound the turns.
    while (needsLot(count)) {
      count.asking ??= fetchLot(merchantId, count).finally(() => {
        count.asking = null;
      });
      await count.asking;
    }
    return spendOne(count);
  }

  function spendOne(count: Count): Spent {
    const isAllowed = count.spent < count.allowed;
    if (isAllowed) count.spent += 1;
    // Windows are one second long: a wait of one second is always enough.
    return { isAllowed, kind, limit, remaining: remainingOf(count), resetSeconds: 1 };
  }

  return {
    /** Counts a call of the merchant, at once where no statement is needed. null: no limit. */
    spend(merchantId: string) {
      if (limit === 0) return null;
      const count = counts.get(merchantId);
      return needsLot(count) ? spendAfterLots(merchantId, count) : spendOne(count);
    },
  };
}
