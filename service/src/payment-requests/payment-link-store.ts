import type { Executor, Statement } from '#database/database.ts';

const FIND: Statement = {
  name: 'payment-link-find',
  text: 'SELECT payer_preferred_language FROM payment_requests WHERE short_code = $1',
};

/** What the pages behind a link need of its payment request. */
export interface PaymentLink {
  readonly preferredLanguage: string | null;
}

export async function findPaymentLink(
  executor: Executor,
  shortCode: string,
): Promise<PaymentLink | null> {
  const [row] = await executor.query<{ payer_preferred_language: string | null }>(FIND, [
    shortCode,
  ]);
  return row ? { preferredLanguage: row.payer_preferred_language } : null;
}
