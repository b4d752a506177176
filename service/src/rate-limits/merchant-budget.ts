import type { Database } from '#database/database.ts';
import type { Clock } from '#lib/clock.ts';
import { type CallKind, takeFromSecond } from './rate-limit-store.ts';
import { createSecondWindow } from './second-window.ts';

/**
 * A process fetches a twentieth of the budget at a time: a merchant who uses all of it costs 20
 * small statements a second, and a process is off by one such lot at most (docs/decisions/0008).
 */
const LOTS = 20;

export interface MerchantBudgetOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly kind: CallKind;
  /** Calls of one merchant in one second, over all processes; 0: no limit. */
  readonly limit: number;
}

/** What a call found when it asked to pass. */
export interface Spent {
  readonly isAllowed: boolean;
  readonly kind: CallKind;
  readonly limit: number;
  /** Calls that are left in this second, as far as this process knows. */
  readonly remaining: number;
  /** Whole seconds until the next budget. */
  readonly resetSeconds: number;
}

export interface MerchantBudget {
  /** Counts a call of the merchant. null: there is no limit. */
  spend(merchantId: string): Promise<Spent | null>;
}

/** One merchant in one second, as one process counts. */
interface Count {
  spent: number;
  /** How far `spent` may go by what is known. */
  allowed: number;
  /** What the database has been told of. */
  told: number;
  /** What the other processes have taken, when we last asked. */
  takenByOthers: number;
  isUsedUp: boolean;
  asking: Promise<void> | null;
}

/**
 * The budget of every merchant for one kind of call (contract §7, 429). Counted in the database in
 * lots, the first of each second on credit: who calls seldom costs no statement, and a merchant has
 * the whole budget however the calls fall on the processes.
 */
export function createMerchantBudget(options: MerchantBudgetOptions): MerchantBudget {
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

  return {
    async spend(merchantId) {
      if (limit === 0) return null;
      const count = counts.get(merchantId);
      // Each turn brings a lot or the end of the budget, so the turns are as many as the lots.
      while (count.spent >= count.allowed && !count.isUsedUp) {
        count.asking ??= fetchLot(merchantId, count).finally(() => {
          count.asking = null;
        });
        await count.asking;
      }
      const isAllowed = count.spent < count.allowed;
      if (isAllowed) count.spent += 1;
      // Windows are one second long: whatever is left of it, one second is enough to wait.
      return { isAllowed, kind, limit, remaining: remainingOf(count), resetSeconds: 1 };
    },
  };
}
