import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { Plan } from '#payment-requests/model/plan-change.ts';
import { ASKED, created, ID, NONE, NOW } from './report-decisions.ts';

/** After every expiry. */
export const LATER = new Date(NOW.getTime() + 400 * 86_400_000);
/** Asked for until a minute from now. */
export const EXPIRING = { expiresAt: new Date(NOW.getTime() + 60_000) };

/** A payment request of which cents have arrived. */
export const holding = (
  status: PaymentRequest['status'],
  receivedCents: number,
  changes: Partial<PaymentRequest> = {},
) => created({ status, sums: { ...NONE, receivedCents }, ...changes });

export const receivedOf = ({ paymentRequest }: Plan) => paymentRequest.sums.receivedCents;
export const sumOf = (entries: Plan['entries']) =>
  entries.reduce((sum, each) => sum + each.amountCents, 0);
export const ownOf = ({ entries }: Plan) => entries.filter((each) => each.paymentRequestId === ID);
export const webhooksOf = ({ changes }: Plan) => changes.flatMap(({ webhook }) => webhook ?? []);
export const kindsOf = ({ operatorCases }: Plan) => operatorCases.map(({ kind }) => kind).sort();

/** The outcome by the table of bank-transfer §4, for a payment request that is not PAID. */
export const byTable = (sumCents: number) =>
  sumCents === ASKED ? 'PAID' : sumCents < ASKED ? 'PART' : 'MISMATCH';

/** Status, money and cases of a plan, and its entries in one line each. */
export function told({ outcome, plan }: { readonly outcome: string; readonly plan: Plan }) {
  return {
    outcome: `${outcome} ${plan.outcome}`,
    status: plan.paymentRequest.status,
    receivedCents: plan.paymentRequest.sums.receivedCents,
    entries: plan.entries.map(
      ({ type, amountCents, networkReference, paymentRequestId, merchantId, currency }) =>
        `${type} ${amountCents} ${networkReference} ${paymentRequestId ? 'own' : '-'} ` +
        `${merchantId} ${currency}`,
    ),
    cases: plan.operatorCases.map(({ kind }) => kind),
  };
}
