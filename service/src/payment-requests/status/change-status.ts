import type { Database, Executor } from '#database/database.ts';
import type { NewLedgerEntry } from '#ledger/model/entry.ts';
import { insertLedgerEntries } from '#ledger/record-store.ts';
import type { Cause } from '#payment-requests/model/cause.ts';
import type { MessageHooks } from '#payment-requests/model/messages/message-hooks.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  type NewOperatorCase,
  type Plan,
  type PlannedChange,
  planChange,
} from '#payment-requests/model/plan-change.ts';
import { type PublicSettings, renderPaymentRequest } from '#payment-requests/model/render-json.ts';
import { insertTimelineEntries } from '#payment-requests/timeline/timeline-store.ts';
import type { NewWebhookEvent } from '#webhooks/events/outbox.ts';
import { EVENT_TYPE_FACTS, type WebhookEventType } from '#webhooks/model/event-types.ts';
import type { WebhookMisbehaviour } from '#webhooks/model/misbehaviour.ts';
import { lockPaymentRequest } from './lock-store.ts';
import { closePartCases, type OpenCasesDeps, openOperatorCases } from './operator-cases.ts';
import { saveChanges } from './status-store.ts';

export interface ChangeStatusDeps extends OpenCasesDeps {
  readonly db: Database;
  readonly settings: PublicSettings;
  /** In the sandbox: how the webhooks misbehave for a payer of this name. */
  readonly misbehaviourOf?: (payerName: string) => WebhookMisbehaviour | null;
  /** Writes messages to payers, in the transaction; left out: none. */
  readonly messages?: MessageHooks;
  /** Wakes the senders, after the commit of a webhook event. */
  readonly wakeSenders: (paymentRequestIds?: readonly string[]) => void;
  /**
   * Called after the commit, for metrics and for those who wait for the request to change.
   * @param traceparent the trace of the payment request's creation; null: there is none
   */
  readonly onStatusChanged: (change: StatusChange, traceparent: string | null) => void;
  /** Called after the commit of sums that changed alone, for those who wait for a change. */
  readonly onSumsChanged?: (paymentRequestId: string) => void;
}

export interface StatusChange {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Written in a transaction that has yet to commit; `publish` is due after the commit. */
export interface Written {
  /** Notifies waiters, metrics, senders and operators. Never throws. */
  readonly publish: () => void;
}

/** Changes a status in a transaction of its own. @returns null for an unknown id. */
export async function changeStatus(
  deps: ChangeStatusDeps,
  id: string,
  cause: Cause,
): Promise<Plan | null> {
  const written = await deps.db.transaction(async (tx) => {
    const locked = await lockPaymentRequest(tx, id);
    return locked && changeLocked(tx, deps, locked, cause);
  });
  written?.publish();
  return written?.plan ?? null;
}

/** Changes the status of a payment request that the transaction has locked. */
export async function changeLocked(
  tx: Executor,
  deps: ChangeStatusDeps,
  locked: PaymentRequest,
  cause: Cause,
): Promise<Written & { readonly plan: Plan }> {
  const plan = planChange(locked, cause, deps.clock.now());
  const { publish, withLink } = await changeStatuses(tx, deps, [plan]);
  return { plan: { ...plan, paymentRequest: withLink(plan.paymentRequest) }, publish };
}

/**
 * Writes plans in their order (contract §5): status, sums, event, ledger entries, webhook event and
 * operator case, in the transaction that has locked the payment requests. The only writer of a
 * status, and so of every PAID with its entry.
 *
 * @returns also withLink: a payment request of the plans with its link as it stands then
 */
export async function changeStatuses(
  tx: Executor,
  deps: ChangeStatusDeps,
  plans: readonly Plan[],
): Promise<Written & { readonly withLink: (paymentRequest: PaymentRequest) => PaymentRequest }> {
  const now = deps.clock.now();
  const planned = plans.flatMap((plan) => plan.changes);
  const announced = planned.filter(({ after, transition }) => transition && after.messagePlan);
  const links = announced.length > 0 ? await deps.messages?.changing(tx, announced) : undefined;
  const withLink = (paymentRequest: PaymentRequest): PaymentRequest => {
    const linkMessage = links?.get(paymentRequest.id);
    return linkMessage ? { ...paymentRequest, linkMessage } : paymentRequest;
  };
  const changes = links?.size
    ? planned.map((change) => ({ ...change, after: withLink(change.after) }))
    : planned;
  for (const round of roundsOf(changes)) {
    await saveChanges(tx, round, webhookEventsOf(round, deps, now));
  }
  await insertLedgerEntries(tx, entriesOf(plans, deps, now));
  await insertNotes(tx, plans, now);
  const overtaken = plans.filter(({ closesPartCase }) => closesPartCase);
  await closePartCases(
    tx,
    deps,
    overtaken.map(({ paymentRequest }) => paymentRequest.id),
  );
  const opened = await openOperatorCases(tx, deps, casesOf(plans));
  return {
    withLink,
    publish() {
      // Operators first: a case is alerted once, and no later report repeats the alert.
      opened.publish();
      publish(deps, changes);
    },
  };
}

/**
 * Writes a webhook event that changes neither status nor version, of a payment request that the
 * transaction has locked.
 */
export async function enqueueEvent(
  tx: Executor,
  deps: ChangeStatusDeps,
  locked: PaymentRequest,
  webhook: WebhookEventType,
): Promise<Written> {
  const after = { ...locked, webhookSequence: locked.webhookSequence + 1 };
  const change = { before: locked, cause: null, transition: null, after, webhook };
  await saveChanges(tx, [change], webhookEventsOf([change], deps, deps.clock.now()));
  return { publish: () => deps.wakeSenders([locked.id]) };
}

function entriesOf(
  plans: readonly Plan[],
  { settings }: ChangeStatusDeps,
  now: Date,
): NewLedgerEntry[] {
  return plans.flatMap(({ entries }) =>
    entries.map((entry) => ({
      ...entry,
      currency: entry.currency ?? settings.currency,
      createdAt: entry.createdAt ?? now,
    })),
  );
}

/** The later one of two plans in a transaction knows what became of the parts. */
function casesOf(plans: readonly Plan[]): NewOperatorCase[] {
  return plans.flatMap(({ operatorCases }, index) => {
    const isOvertaken = ({ kind, paymentRequestId }: NewOperatorCase) =>
      kind === 'PART_PAYMENT' &&
      plans
        .slice(index + 1)
        .some((plan) => plan.closesPartCase && plan.paymentRequest.id === paymentRequestId);
    return operatorCases.filter((found) => !isOvertaken(found));
  });
}

async function insertNotes(tx: Executor, plans: readonly Plan[], now: Date): Promise<void> {
  const notes = plans.flatMap(({ note, paymentRequest }) =>
    note ? [{ ...note, paymentRequestId: paymentRequest.id, occurredAt: now }] : [],
  );
  if (notes.length > 0) await insertTimelineEntries(tx, notes);
}

/** Splits changes into rounds: a statement can write a payment request only once. */
function roundsOf(changes: readonly PlannedChange[]): PlannedChange[][] {
  const rounds: PlannedChange[][] = [];
  const counts = new Map<string, number>();
  for (const change of changes) {
    const nth = counts.get(change.after.id) ?? 0;
    counts.set(change.after.id, nth + 1);
    const round = rounds[nth];
    if (round) round.push(change);
    else rounds.push([change]);
  }
  return rounds;
}

function webhookEventsOf(
  changes: readonly PlannedChange[],
  { settings, misbehaviourOf }: ChangeStatusDeps,
  createdAt: Date,
): NewWebhookEvent[] {
  return changes.flatMap(({ webhook, after }) => {
    if (webhook === null) return [];
    return {
      merchantId: after.merchant.id,
      paymentRequestId: after.id,
      sequence: after.webhookSequence,
      eventType: webhook,
      message: sentenceOf(webhook) ?? after.statusReason?.message ?? '',
      resource: renderPaymentRequest(after, settings),
      webhookUrl: after.webhook?.url ?? null,
      createdAt,
      traceparent: after.traceparent,
      misbehaviour: misbehaviourOf?.(after.payer.name) ?? null,
    };
  });
}

function sentenceOf(type: WebhookEventType): string | null {
  return EVENT_TYPE_FACTS[type].sentence;
}

function publish(
  { onStatusChanged, onSumsChanged, wakeSenders }: ChangeStatusDeps,
  changes: readonly PlannedChange[],
): void {
  for (const { before, after, transition } of changes) {
    const { id, status: to, traceparent } = after;
    if (transition) onStatusChanged({ id, from: before.status, to }, traceparent);
    else onSumsChanged?.(id);
  }
  const told = changes.filter(({ webhook }) => webhook !== null).map(({ after }) => after.id);
  if (told.length > 0) wakeSenders(told);
}
