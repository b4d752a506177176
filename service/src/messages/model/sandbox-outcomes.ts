import type {
  MessageReason,
  MessageStatus,
} from '#payment-requests/model/messages/link-message.ts';
import type { MessageKind } from './kinds.ts';

/** The end of a message in the sandbox, by its address (messages §7). */
export interface SandboxOutcome {
  readonly status: Exclude<MessageStatus, 'SCHEDULED' | 'CANCELLED'>;
  readonly reason: MessageReason | null;
}

const SENT: SandboxOutcome = { status: 'SENT', reason: null };
const BOUNCED: SandboxOutcome = { status: 'BOUNCED', reason: 'BOUNCED' };
const FAILED: SandboxOutcome = { status: 'FAILED', reason: 'REFUSED_BY_SERVER' };

const OUTCOMES: Readonly<Record<string, SandboxOutcome>> = {
  'bounce@example.com': BOUNCED,
  'refuse@example.com': FAILED,
  'refused@example.com': { status: 'SUPPRESSED', reason: 'RECIPIENT_REFUSED' },
  '+15005550001': BOUNCED,
  '+15005550002': FAILED,
  '+15005550003': { status: 'DELIVERED', reason: null },
};
const OPTED_OUT = 'optout@example.com';
const SLOW = 'slow@example.com';
const SLOW_SECONDS = 30;

export function sandboxOutcomeOf(address: string, kind: MessageKind): SandboxOutcome {
  const plain = plainAddress(address);
  if (plain === OPTED_OUT && kind === 'REMINDER') {
    return { status: 'SUPPRESSED', reason: 'OPTED_OUT' };
  }
  return OUTCOMES[plain] ?? SENT;
}

/** How much later a message is due, in seconds. */
export function sandboxDelaySeconds(address: string | null): number {
  return plainAddress(address ?? '') === SLOW ? SLOW_SECONDS : 0;
}

function plainAddress(address: string): string {
  return address.toLowerCase().replace(/^\+[\d+\-() ]+$/, (n) => `+${n.replace(/\D/g, '')}`);
}
