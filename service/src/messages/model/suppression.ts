import type { MessageReason } from '#payment-requests/model/messages/link-message.ts';
import { MESSAGE_KINDS, type MessageKind } from './kinds.ts';

/** What a recipient asks for (messages §5). */
export const SUPPRESSIONS = ['RECIPIENT_REFUSED', 'OPTED_OUT'] as const;
export type Suppression = (typeof SUPPRESSIONS)[number] & MessageReason;

/** Why a message is held back; null: it may leave. An opt-out stops reminders alone. */
export function heldBackBy(kind: MessageKind, found: readonly Suppression[]): Suppression | null {
  if (found.includes('RECIPIENT_REFUSED')) return 'RECIPIENT_REFUSED';
  return found.includes('OPTED_OUT') && MESSAGE_KINDS[kind].isReminder ? 'OPTED_OUT' : null;
}
