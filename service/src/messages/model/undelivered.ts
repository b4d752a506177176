import type { MessageStatus } from '#payment-requests/model/messages/link-message.ts';

/** The statuses of a link that did not arrive: the payer knows of nothing (messages §2). */
export const UNDELIVERED: readonly MessageStatus[] = ['FAILED', 'BOUNCED', 'SUPPRESSED'];
