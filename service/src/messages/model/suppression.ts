import type { MessageReason } from '#payment-requests/model/messages/link-message.ts';
import { MESSAGE_KINDS, type MessageKind } from './kinds.ts';

/** The wishes of a recipient, and the answer of its mail server (messages §5). */
export const SUPPRESSIONS = ['RECIPIENT_REFUSED', 'OPTED_OUT', 'BOUNCED'] as const;
export type Suppression = (typeof SUPPRESSIONS)[number] & MessageReason;
/** The wishes behind the links of a mail. */
export type Wish = Exclude<Suppression, 'BOUNCED'>;

/** Why a message is held back; null: it may leave. An opt-out stops reminders alone. */
export function heldBackBy(kind: MessageKind, found: readonly Suppression[]): Suppression | null {
  const ofAll = (['RECIPIENT_REFUSED', 'BOUNCED'] as const).find((each) => found.includes(each));
  if (ofAll) return ofAll;
  return found.includes('OPTED_OUT') && MESSAGE_KINDS[kind].isReminder ? 'OPTED_OUT' : null;
}
