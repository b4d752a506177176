import type { Executor, Statement } from '#database/database.ts';
import { valuesByKey } from '#database/statements.ts';
import type { MerchantStatus } from '#merchants/merchant.ts';
import { EMPTY_PROFILE, type MerchantProfile } from '#merchants/profile/profile.ts';
import { PROFILE } from '#merchants/profile/profile-store.ts';
import { COLUMNS, FROM } from '#payment-requests/lookup/find-store.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { fromRow, type Row } from '#payment-requests/model/row.ts';

/**
 * A single JSON parameter: for an array PostgreSQL would make a plan each time
 * (lookup/find-store.ts).
 */
const FIND: Statement = {
  name: 'payment-link-find',
  text: `SELECT ${COLUMNS}, m.status AS merchant_status, ${PROFILE} AS profile ${FROM}
         WHERE p.short_code IN (SELECT json_array_elements_text($1::json))`,
};

/** The data of the pages behind a link. */
export interface PaymentLink {
  /** The stored payment request: an expiry that has passed may not be written yet. */
  readonly paymentRequest: PaymentRequest;
  readonly merchantStatus: MerchantStatus;
  /** Empty where no operator has set one. */
  readonly profile: MerchantProfile;
}

/** Several at once, by their short codes; those that do not exist are left out. */
export async function findPaymentLinks(
  executor: Executor,
  shortCodes: readonly string[],
): Promise<ReadonlyMap<string, PaymentLink>> {
  type LinkRow = Row & { merchant_status: MerchantStatus; profile: MerchantProfile | null };
  const rows = await executor.query<LinkRow>(FIND, [JSON.stringify(shortCodes)]);
  return new Map(
    rows.map((row) => [
      row.short_code,
      {
        paymentRequest: fromRow(row),
        merchantStatus: row.merchant_status,
        profile: row.profile ?? EMPTY_PROFILE,
      },
    ]),
  );
}

/** The present versions; those that do not exist are left out. */
export const findPaymentRequestVersions = valuesByKey<string, number, [ids: readonly string[]]>(
  'payment-link-find-versions',
  'SELECT id, version FROM payment_requests WHERE id = ANY ($1::uuid[])',
);
