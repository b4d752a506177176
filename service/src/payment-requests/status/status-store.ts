import type { Executor, Statement } from '#database/database.ts';
import { currentCall } from '#lib/call-context.ts';
import type { PlannedChange } from '#payment-requests/model/plan-change.ts';
import { enqueueWebhookEvents, type NewWebhookEvent } from '#webhooks/events/outbox.ts';

const SAVE_MOVES: Statement = {
  name: 'payment-request-save-moves',
  text: `WITH moves AS (
    SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[],
        $6::text[], $7::text[], $8::timestamptz[], $9::int[], $10::int[], $11::int[], $12::text[],
        $13::timestamptz[], $14::text[], $15::bigint[], $16::bigint[])
      AS m (id, status, reason_code, reason_message, paid_late, institution, network_reference,
            completed_at, version, webhook_sequence, position, cause, occurred_at,
            request_id, received_cents, returned_cents)
  ), moved AS (
    UPDATE payment_requests p SET
      status = m.status, status_reason_code = m.reason_code,
      status_reason_message = m.reason_message, paid_late = m.paid_late,
      payment_institution = m.institution, payment_network_reference = m.network_reference,
      payment_completed_at = m.completed_at, version = m.version,
      webhook_sequence = m.webhook_sequence, received_cents = m.received_cents,
      returned_cents = m.returned_cents
    FROM moves m WHERE p.id = m.id)
  INSERT INTO payment_request_moves
    (payment_request_id, position, status, cause, reason_code, occurred_at, request_id)
  SELECT id, position, status, cause, reason_code, occurred_at, request_id FROM moves
  WHERE cause IS NOT NULL`,
};

/**
 * Writes changes of different payment requests: status, sums, event and webhook event, in two
 * statements for any number of changes. Only change-status.ts may call this function.
 */
export async function saveChanges(
  tx: Executor,
  changes: readonly PlannedChange[],
  webhookEvents: readonly NewWebhookEvent[],
): Promise<void> {
  const column = (read: (change: PlannedChange) => unknown) => changes.map(read);
  const requestId = currentCall()?.requestId ?? null;
  await tx.query(SAVE_MOVES, [
    column(({ after }) => after.id),
    column(({ after }) => after.status),
    column(({ after }) => after.statusReason?.code ?? null),
    column(({ after }) => after.statusReason?.message ?? null),
    column(({ after }) => after.paidLate),
    column(({ after }) => after.payment?.institution ?? null),
    column(({ after }) => after.payment?.networkReference ?? null),
    column(({ after }) => after.payment?.completedAt ?? null),
    column(({ after }) => after.version),
    column(({ after }) => after.webhookSequence),
    column(({ after }) => after.events.length),
    // A change of sums alone reaches no status.
    column(({ cause }) => cause?.name ?? null),
    column(({ after }) => after.events.at(-1)?.occurredAt),
    // An expiry that a call finds passed is not the call's doing.
    column(({ cause }) => (cause?.name === 'EXPIRY_PASSED' ? null : requestId)),
    column(({ after }) => after.sums.receivedCents),
    column(({ after }) => after.sums.returnedCents),
  ]);
  if (webhookEvents.length > 0) await enqueueWebhookEvents(tx, webhookEvents);
}
