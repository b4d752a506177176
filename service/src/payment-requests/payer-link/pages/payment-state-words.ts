import type { StatusIcon } from '#http/pages/status-icons.ts';
import { pageTexts, type TextKey } from '#http/pages/texts.ts';
import type { PaymentLinkState } from '#payment-requests/payer-link/link-state.ts';
import type { Viewer } from '#payment-requests/payer-link/viewer.ts';

/** The texts of the pages of a payment link. */
export const PAYMENT_STATE_TEXTS = pageTexts('payer.link');
export type PaymentStateText = TextKey<'payer.link'>;

type Part = 'title' | 'lead' | 'next';

/** The words of a page. The page of OPEN is only for a network that does not answer. */
type Words = { readonly [P in Part]: PaymentStateText } & {
  readonly mark: StatusIcon;
  /** Whether the page follows changes. */
  readonly isLive: boolean;
};
type Some = Partial<Readonly<Record<PaymentLinkState, Words>>>;

/** The names of the texts `{name}.{part}`. */
type NameOf<P extends Part> = PaymentStateText extends infer Key
  ? Key extends `${infer Name}.${P}`
    ? Name
    : never
  : never;

/** Each part has the text of its name; most pages have all three of one name. */
const words = (
  [title, lead, next]: readonly [NameOf<'title'>, NameOf<'lead'>, NameOf<'next'>],
  mark: StatusIcon,
  isLive = false,
): Words => ({ title: `${title}.title`, lead: `${lead}.lead`, next: `${next}.next`, mark, isLive });
const all = <Name extends NameOf<'title'> & NameOf<'lead'> & NameOf<'next'>>(name: Name) =>
  [name, name, name] as const;

/** The words for the payer, and for every browser where all read the same. */
const OWN: Readonly<Record<PaymentLinkState, Words>> = {
  OPEN: words(all('networkAway'), 'away'),
  WAITING: words(all('waiting'), 'wait', true),
  PROCESSING: words(all('processing'), 'wait', true),
  PAID: words(all('paid'), 'good'),
  PAID_LATE: words(['paid', 'paidLate', 'paidLate'], 'good'),
  FAILED: words(all('failed'), 'bad'),
  DECLINED: words(all('declined'), 'neutral'),
  EXPIRED: words(all('expired'), 'neutral'),
  CANCELLED: words(all('cancelled'), 'neutral'),
  SUSPENDED: words(all('suspended'), 'locked'),
};

/** The words for a browser that did not decide about the payment: nothing was taken there. */
const OTHERS: Some = {
  PAID: words(all('paidByOther'), 'good'),
  PAID_LATE: words(['paidByOther', 'paidLateByOther', 'paidByOther'], 'good'),
  PROCESSING: words(['processingByOther', 'processingByOther', 'processing'], 'wait', true),
  DECLINED: words(['declinedByOther', 'declinedByOther', 'failed'], 'neutral'),
};

/** The first screen of a payer who went on with another device. */
const OTHER_DEVICE: Some = {
  ...OTHERS,
  PAID: words(all('paidElsewhere'), 'good'),
  PAID_LATE: words(all('paidElsewhere'), 'good'),
};

/** A transfer from any bank: money may be under way that no page knows of. */
const UNKNOWN: Some = {
  PAID: words(['paidByOther', 'arrived', 'arrived'], 'good'),
  PAID_LATE: words(['paidByOther', 'arrivedLate', 'paidLate'], 'good'),
  EXPIRED: words(['expired', 'expiredTransfer', 'overTransfer'], 'neutral', true),
  CANCELLED: words(['cancelled', 'cancelledTransfer', 'overTransfer'], 'neutral', true),
};

/** The payer of such a transfer. */
const SENDER: Some = {
  ...UNKNOWN,
  PAID: words(['paid', 'arrived', 'arrived'], 'good'),
  PAID_LATE: words(['paid', 'arrivedLate', 'paidLate'], 'good'),
};

const WORDS: Readonly<Record<Viewer, Some>> = {
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
