import type { StatusIcon } from '#http/pages/status-icons.ts';
import type { PaymentLinkState } from '#payment-requests/payer-link/link-state.ts';
import type { Viewer } from '#payment-requests/payer-link/viewer.ts';
import type { PaymentStateText } from './payment-state-texts.ts';

type Part = 'title' | 'lead' | 'next';

/** The words of a page. The page of OPEN is only for a network that does not answer. */
type Words = { readonly [P in Part]: PaymentStateText } & {
  readonly mark: StatusIcon;
  /** Whether the page follows changes. */
  readonly isLive: boolean;
};

type Keys = readonly [PaymentStateText, PaymentStateText, PaymentStateText];

const words = ([title, lead, next]: Keys, mark: StatusIcon, isLive = false): Words => ({
  title,
  lead,
  next,
  mark,
  isLive,
});

/** The words for the payer, and for every browser where all read the same. */
const OWN: Readonly<Record<PaymentLinkState, Words>> = {
  OPEN: words(['networkAway.title', 'networkAway.lead', 'networkAway.next'], 'away'),
  WAITING: words(['waiting.title', 'waiting.lead', 'waiting.next'], 'wait', true),
  PROCESSING: words(['processing.title', 'processing.lead', 'processing.next'], 'wait', true),
  PAID: words(['paid.title', 'paid.lead', 'paid.next'], 'good'),
  PAID_LATE: words(['paid.title', 'paidLate.lead', 'paidLate.next'], 'good'),
  FAILED: words(['failed.title', 'failed.lead', 'failed.next'], 'bad'),
  DECLINED: words(['declined.title', 'declined.lead', 'declined.next'], 'neutral'),
  EXPIRED: words(['expired.title', 'expired.lead', 'expired.next'], 'neutral'),
  CANCELLED: words(['cancelled.title', 'cancelled.lead', 'cancelled.next'], 'neutral'),
  SUSPENDED: words(['suspended.title', 'suspended.lead', 'suspended.next'], 'locked'),
};

const paid = words(['paidByOther.title', 'paidByOther.lead', 'paidByOther.next'], 'good');
const declined = ['declinedByOther.title', 'declinedByOther.lead', 'failed.next'] as const;
const processing = [
  'processingByOther.title',
  'processingByOther.lead',
  'processing.next',
] as const;

/** The words for a browser that did not decide about the payment: nothing was taken there. */
const OTHERS: Partial<Readonly<Record<PaymentLinkState, Words>>> = {
  PAID: paid,
  PAID_LATE: paid,
  PROCESSING: words(processing, 'wait', true),
  DECLINED: words(declined, 'neutral'),
};

const elsewhere = words(
  ['paidElsewhere.title', 'paidElsewhere.lead', 'paidElsewhere.next'],
  'good',
);

/** The first screen of a payer who went on with another device. */
const OTHER_DEVICE: Partial<Readonly<Record<PaymentLinkState, Words>>> = {
  ...OTHERS,
  PAID: elsewhere,
  PAID_LATE: elsewhere,
};

/** A transfer from any bank: money may be under way that no page knows of. */
const UNKNOWN: Partial<Readonly<Record<PaymentLinkState, Words>>> = {
  PAID: words(['paidByOther.title', 'arrived.lead', 'arrived.next'], 'good'),
  PAID_LATE: words(['paidByOther.title', 'arrivedLate.lead', 'paidLate.next'], 'good'),
  EXPIRED: words(['expired.title', 'expiredTransfer.lead', 'overTransfer.next'], 'neutral', true),
  CANCELLED: words(
    ['cancelled.title', 'cancelledTransfer.lead', 'overTransfer.next'],
    'neutral',
    true,
  ),
};

/** The payer of such a transfer. */
const SENDER: Partial<Readonly<Record<PaymentLinkState, Words>>> = {
  ...UNKNOWN,
  PAID: words(['paid.title', 'arrived.lead', 'arrived.next'], 'good'),
  PAID_LATE: words(['paid.title', 'arrivedLate.lead', 'paidLate.next'], 'good'),
};

const WORDS: Readonly<Record<Viewer, Partial<Readonly<Record<PaymentLinkState, Words>>>>> = {
  PAYER: OWN,
  OTHER_DEVICE,
  OTHER: OTHERS,
  UNKNOWN,
  SENDER,
};

/** The words of each page. */
export function wordsFor(state: PaymentLinkState, viewer: Viewer): Words {
  return WORDS[viewer][state] ?? OWN[state];
}
