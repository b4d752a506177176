import { ruleOf } from '#console/model/access-matrix.ts';
import type { Viewer } from '#console/sessions/sessions.ts';

/** The merchants whose payment requests a person may read; null: those of all merchants. */
export function readableMerchants({ grants }: Viewer): readonly string[] | null {
  const { roles } = ruleOf('payment-requests.read');
  const reading = grants.filter(({ role }) => roles.includes(role));
  if (reading.some(({ merchantId }) => merchantId === null)) return null;
  return [...new Set(reading.flatMap(({ merchantId }) => merchantId ?? []))];
}
