import { alignColumns } from '#commands/cli/align-columns.ts';
import { formatInstant } from '#lib/instant.ts';
import type { Candidate } from '#payment-requests/erasure/candidate-store.ts';

/** The payment requests among which an operator chooses the payer's. */
export function candidateLines(candidates: readonly Candidate[]): string[] {
  if (candidates.length === 0) return ['No payment request has such a name. Nothing was erased.'];
  const rows = candidates.map((each) => [
    each.paymentRequestId,
    each.merchantId,
    each.status,
    formatInstant(each.createdAt),
    each.name,
    [each.email, each.mobileNumber].filter(Boolean).join(' '),
  ]);
  return [
    ...alignColumns([['ID', 'MERCHANT', 'STATUS', 'CREATED', 'NAME', 'CONTACT'], ...rows]),
    'Nothing was erased. Give the ids of this payer: --id ID --id ID',
  ];
}
