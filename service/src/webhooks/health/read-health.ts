import type { Executor } from '#database/database.ts';
import {
  type AllWebhooks,
  countUndelivered as countStored,
  findAllWebhooks,
  findMerchantWebhooks,
  findWorstMerchants,
  GIVEN_UP_DAYS,
  type MerchantWebhooks,
  MOST_COUNTED,
  type OwedMerchant,
} from './health-store.ts';

export type { AllWebhooks, MerchantWebhooks, OwedMerchant };

/** Counts of the health end here: more is shown as so many or more. */
export const MOST_COUNTED_WEBHOOKS = MOST_COUNTED;
/** Deliveries that were given up count for so many days. */
export const DAYS_OF_GIVEN_UP = GIVEN_UP_DAYS;

/** A page for a person. */
const MOST_WORST = 10;

/** How a merchant's webhooks are doing. */
export function readMerchantWebhooks(db: Executor, merchantId: string): Promise<MerchantWebhooks> {
  return findMerchantWebhooks(db, merchantId);
}

/** How many of a merchant's deliveries wait, and how many were given up. */
export function countUndelivered(db: Executor, merchantId: string) {
  return countStored(db, merchantId);
}

/** How all webhooks are doing, with the merchants that have waited for the longest. */
export async function readAllWebhooks(
  db: Executor,
): Promise<AllWebhooks & { readonly worst: readonly OwedMerchant[] }> {
  return { ...(await findAllWebhooks(db)), worst: await findWorstMerchants(db, MOST_WORST) };
}
