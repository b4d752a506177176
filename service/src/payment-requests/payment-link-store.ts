import type { Executor, Statement } from '#database/database.ts';

const FIND: Statement = {
  name: 'payment-link-find',
  text: 'SELECT id, payer_preferred_language FROM payment_requests WHERE short_code = $1',
};

/** What the pages behind a link need of its payment request. */
export interface PaymentLink {
  readonly paymentRequestId: string;
  readonly preferredLanguage: string | null;
}

export async function findPaymentLink(
  executor: Executor,
  shortCode: string,
): Promise<PaymentLink | null> {
  const [row] = await executor.query<Row>(FIND, [shortCode]);
  if (!row) return null;
  return { paymentRequestId: row.id, preferredLanguage: row.payer_preferred_language };
}

interface Row {
  id: string;
  payer_preferred_language: string | null;
}
