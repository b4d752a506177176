/**
 * Statements by their names, around each of which a process can die (decision 0058). A statement
 * that is its own transaction is committed when it answers, so its places are `before` and `after`.
 * A statement of a longer transaction also has the places around the COMMIT.
 *
 * PostgreSQL runs all parts of one statement or none, so that no place lies inside a statement.
 */
export const OWN_TRANSACTIONS = {
  'webhook-delivery-claim': 'the lease of due webhook deliveries',
  'webhook-delivery-record': 'the records of attempts: attempt, delivery, next attempt',
  'sandbox-step-claim': 'the claim of simulated steps that are due',
  'sandbox-step-mark-done': 'the mark of simulated steps whose changes are committed',
  'refund-claim': 'the claim of refunds that are due at the network',
  'network-request-insert': 'the note that the network is about to learn of a payment request',
  'network-request-save-answer': 'the network’s answer, after the network has the payment',
  'network-request-claim': 'the claim of payment requests to ask the network about',
  'webhook-retention-prune-events': 'the deletion of old webhook events with their deliveries',
  'idempotency-prune': 'the deletion of old answers',
  'bank-file-receive': 'the row of a bank’s file',
  'bank-file-save-part': 'an encrypted part of the bytes of a bank’s file',
  'bank-statement-insert': 'a statement of a file that is being staged',
  'bank-entries-insert': 'up to 200 entries of a file that is being staged',
  'bank-statement-complete': 'the balances and counts of a staged statement',
  'bank-file-mark-staged': 'the state from which all entries of a file count',
  'bank-file-mark-complete': 'the state of a file whose entries are all matched',
  'bank-movements-mark-reported': 'the mark of money that the payment requests have taken',
  'bank-refund-insert': 'a refund that waits for a payment file',
  'bank-connection-note-tried': 'the name of a file of a bank’s server that is staged',
  'bank-payment-file-note-putting': 'the first byte of a payment file is about to be sent by SFTP',
  'bank-payment-file-note-renaming': 'a payment file is about to get its name on a bank’s server',
  'bank-payment-file-hold': 'a released payment file whose refund ended waits for a person again',
  'bank-payment-file-mark-sent-by-sftp': 'a payment file that has its name on a bank’s server',
  'bank-payment-file-mark-written': 'the temporary name of a payment file that is on the disk',
} as const;

export const LONGER_TRANSACTIONS = {
  'payment-request-insert-with-keys':
    'creations: Idempotency-Keys with their answers, and payment requests',
  'sandbox-step-insert': 'the simulated steps of a creation, in its transaction',
  'payment-request-save-moves': 'statuses, sums and events of payment requests',
  'webhook-enqueue': 'webhook events and their deliveries',
  'ledger-insert': 'ledger entries',
  'refund-insert': 'refunds and their first events',
  'idempotency-insert-many': 'the answers of refunds under their Idempotency-Keys',
  'refund-save-moves': 'statuses and events of refunds',
  'proposal-mark-approved': 'the approval that completes a proposal',
  'proposal-end': 'the end of a proposal, in the transaction of its act',
  'payment-request-lock-due-to-expire': 'a batch of expiries',
  'webhook-replay-insert': 'a replay',
  'webhook-replay-step': 'a step of a replay: deliveries and the position',
  'bank-movements-insert': 'the money that a batch of entries brings',
  'bank-entries-mark-matched': 'the mark of matched entries, in the transaction of their money',
  'message-claim': 'the lease of due messages to payers',
  'message-extend-lease': 'the note of the address that a mail server is about to learn',
  'message-record': 'the outcome of an attempt to send a message',
  'bank-payment-file-note-claim': 'the claim of a payment file by a program, before its journal',
  'bank-payment-file-insert': 'a payment file, in the transaction that makes refunds PROCESSING',
} as const;

/** Places in the code, away from every statement. */
export const CODE_PLACES = {
  'answer-ready': 'the commit is done, and the stored answer of a call is about to leave',
  'webhook-answered': 'the receiver has answered, and the attempt is not recorded',
  'refund-handed-over': 'the network has a refund, and its outcome is not recorded',
  'message-read-last': 'a message is still true, and the mail server does not know the recipient',
  'message-recipient-named': 'the mail server knows the recipient, and has no mail',
  'message-sent': 'the mail server has taken a mail, and this is not recorded',
  'bank-file-renamed': 'a file of the bank has a name of ours, and nothing is stored',
  'bank-file-imported': 'a file of the bank is in the database, and still on the disk',
  'payment-file-half-written': 'the half of a payment file is on the disk, under a temporary name',
  'payment-file-named': 'a payment file has its final name',
  'sftp-payment-put': 'a payment file is on a bank’s server, under a temporary name',
  'sftp-payment-named': 'a payment file has its name on a bank’s server, and this is not noted',
  'sftp-file-fetched': 'a file of a bank’s server is in memory, and nothing is stored',
  'sftp-file-staged': 'a file of a bank’s server is staged, and its name is not noted',
} as const;

type Of<Table> = keyof Table & string;
export type WatchedStatement = Of<typeof OWN_TRANSACTIONS> | Of<typeof LONGER_TRANSACTIONS>;
export type CodePlace = Of<typeof CODE_PLACES>;

export const MOMENTS = ['before', 'after', 'before-commit', 'after-commit'] as const;
export type Moment = (typeof MOMENTS)[number];

/** A place as a failpoint names it, such as `after/ledger-insert` and `webhook-answered`. */
export type Place =
  | CodePlace
  | `${'before' | 'after'}/${WatchedStatement}`
  | `${'before-commit' | 'after-commit'}/${Of<typeof LONGER_TRANSACTIONS>}`;

/** Every place, in the order of the tables. */
export const PLACES: readonly Place[] = [
  ...keysOf(OWN_TRANSACTIONS).flatMap((name): Place[] => [`before/${name}`, `after/${name}`]),
  ...keysOf(LONGER_TRANSACTIONS).flatMap((name) => MOMENTS.map((each): Place => `${each}/${name}`)),
  ...keysOf(CODE_PLACES),
];

function keysOf<Table extends object>(table: Table): Of<Table>[] {
  return Object.keys(table) as Of<Table>[];
}
