import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import type { MoneyMovement } from '#e-transfer/network-money.ts';
import { FIRST_MESSAGE_SETTINGS } from '#merchants/model/message-settings.ts';
import { newPaymentRequest } from '#payment-requests/create/check-fields.ts';
import { createdPaymentRequest } from '#payment-requests/create/create-payment-request.ts';
import { CONTRACT_TIMES } from '#payment-requests/model/expiry.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { decideReport, type ReportFacts } from '#payment-requests/network/decide-report.ts';
import type { Decision } from '#payment-requests/network/money/decide-return.ts';
import {
  emptyMovementIndex,
  type KnownMovement,
  rememberMovement,
} from '#payment-requests/network/money/movement-index.ts';

/** The instant of every decision. */
export const NOW = new Date('2026-03-01T12:00:00.000Z');
/** The amount of the payment request, in cents. */
export const ASKED = 1_000;
export const OTHER_ID = '01890000-0000-7000-8000-000000000002';

/** A new payment request, with changes. */
export function created(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  const body = { amount: 10, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
  const identity = {
    id: '01890000-0000-7000-8000-000000000001',
    shortCode: 'AAAAAAAAAAAAAAAA',
    merchantId: 'mer_1',
    requestId: null,
    traceparent: null,
  };
  const messageSettings = FIRST_MESSAGE_SETTINGS;
  const read = { amountCents: ASKED, now: NOW, times: CONTRACT_TIMES, messageSettings };
  const shop = { id: 'mer_1', name: 'Shop' } as Parameters<typeof createdPaymentRequest>[0];
  const asked = newPaymentRequest(body as never, read);
  return { ...createdPaymentRequest(shop, identity, asked), ...changes };
}

export const ID = created().id;
const PAYMENT = { institution: 'A Bank', networkReference: 'P', completedAt: NOW };
/** A payment request that is PAID by the movement P. */
export const paid = (received = ASKED) =>
  created({ status: 'PAID', payment: PAYMENT, sums: { ...NONE, receivedCents: received } });
export const NONE = { receivedCents: null, returnedCents: 0, refundedCents: 0, refundingCents: 0 };

export const move = (networkReference: string, amountCents: number) => ({
  networkReference,
  amountCents,
  bankReference: `B-${networkReference}`,
  bookingDate: '2026-03-01',
});

type Move = MoneyMovement;

export function succeeded(movements: readonly Move[], currency = 'CAD'): NetworkOutcome {
  return {
    state: 'SUCCEEDED',
    amountCents: movements.reduce((sum, each) => sum + each.amountCents, 0),
    currency,
    institution: 'A Bank',
    networkReference: movements.at(-1)?.networkReference ?? '',
    completedAt: NOW,
    movements,
  };
}

export const part = (movement: Move, currency = 'CAD'): NetworkOutcome => ({
  state: 'PART_RECEIVED',
  currency,
  movement,
});

export const back = (movement: Move, returnedReference: string | null, currency = 'CAD') =>
  ({ state: 'RETURNED', currency, movement, returnedReference, reason: 'AC04' }) as const;

/** A movement that the ledger has. */
export function known(
  type: KnownMovement['type'],
  movement: Move,
  paymentRequestId: string | null,
) {
  const rest = { type, currency: 'CAD', paymentRequestId, merchantId: 'mer_1', at: NOW };
  return { ...movement, ...rest } satisfies KnownMovement;
}

interface Told {
  readonly before?: PaymentRequest;
  readonly known?: readonly KnownMovement[];
  readonly isRevocable?: boolean;
  readonly suspended?: boolean;
  readonly moneyCase?: boolean;
}

/** Decides about a report by the facts that the test tells. */
export function decide(outcome: NetworkOutcome, told: Told = {}): Decision {
  const { before = created(), isRevocable = false } = told;
  const money = emptyMovementIndex();
  for (const each of told.known ?? []) rememberMovement(money, each);
  const facts: ReportFacts = {
    currency: 'CAD',
    money,
    suspendedMerchants: new Set(told.suspended ? ['mer_1'] : []),
    moneyCases: new Set(told.moneyCase ? [ID] : []),
  };
  return decideReport(before, { paymentRequestId: ID, outcome, isRevocable }, facts, NOW);
}

/** The verdict, the status, the entries and the cases in one line each. */
export function shown({ verdict, plan }: Decision) {
  return {
    verdict,
    status: plan.paymentRequest.status,
    entries: plan.entries.map(
      ({ type, amountCents, networkReference, paymentRequestId }) =>
        `${type} ${amountCents} ${networkReference} ${paymentRequestId === null ? '-' : 'own'}`,
    ),
    cases: plan.operatorCases.map(({ kind }) => kind),
  };
}
