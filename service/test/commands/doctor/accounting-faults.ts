import { randomBytes } from 'node:crypto';
import { READ_ONLY } from '#database/schema/grant-runtime-role.ts';
import { type PlantedFault, UNGUARDED } from './planted-fault.ts';

/** The roles of a plant end with its transaction; other tests of the server have their own. */
const ROLE = `doctor_runtime_${randomBytes(4).toString('hex')}`;
const OWNER = `doctor_owner_${randomBytes(4).toString('hex')}`;

/** A runtime role as `payreq migrate` grants it. */
const RUNTIME = `CREATE ROLE ${ROLE};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${ROLE};
  REVOKE INSERT, UPDATE, DELETE ON ${READ_ONLY.join(', ')} FROM ${ROLE};
  REVOKE UPDATE, DELETE ON audit_log FROM ${ROLE};`;
const OF_RUNTIME = { needs: { runtimeRole: ROLE } };

const STEP = `INSERT INTO sandbox_steps (payment_request_id, position, due_at, action)
  VALUES ('{created}', 1, service_now() - interval '1 day', 'SUCCEED')`;

const paid = (change: string) => `UPDATE payment_requests SET ${change} WHERE id = '{paid}'`;
const entryOfPaid = (change: string) =>
  `${UNGUARDED} UPDATE ledger_entries SET ${change} WHERE payment_request_id = '{paid}'`;

/** Faults in what an accountant or an auditor would compare. */
export const ACCOUNTING_FAULTS: readonly PlantedFault[] = [
  {
    fault: 'an entry of the ledger has another currency',
    found: ['money', 'day sums'],
    says: /have another currency or another merchant: {paid}\.\n.*sums of days differ .* EUR/,
    plant: entryOfPaid(`currency = 'EUR'`),
  },
  {
    fault: 'an entry of the ledger belongs to another merchant',
    found: ['money', 'day sums'],
    says: /have another currency or another merchant: {paid}\./,
    plant: entryOfPaid('merchant_id = NULL'),
  },
  {
    fault: 'the sum of a day is too high',
    found: ['day sums'],
    says: /sums of days differ from the ledger entries: \S+ \d{4}-\d\d-\d\d CAD\.$/,
    plant: 'UPDATE ledger_day_sums SET amount_cents = amount_cents + 10000',
  },
  {
    fault: 'the sum of a day is missing',
    found: ['day sums'],
    says: /sums of days differ from the ledger entries: \S+ \d{4}-\d\d-\d\d CAD/,
    plant: 'DELETE FROM ledger_day_sums',
  },
  {
    fault: 'the sum of a day without entries is there',
    found: ['day sums'],
    says: /sums of days differ from the ledger entries: \S+ 2020-02-29 CAD\.$/,
    plant: `INSERT INTO ledger_day_sums SELECT id, true, '2020-02-29', 'CAD', 1 FROM merchants`,
  },
  {
    fault: 'the network reference of a PAID payment request is gone',
    found: ['money'],
    says: /PAID without the network reference of a ledger entry: {paid}\./,
    plant: paid('payment_network_reference = NULL'),
  },
  {
    fault: 'the network reference of a PAID payment request is another',
    found: ['money'],
    says: /PAID without the network reference of a ledger entry: {paid}\./,
    plant: paid(`payment_network_reference = 'other'`),
  },
  {
    fault: 'the events of a refund do not lead to its status',
    found: ['money', 'payment requests'],
    says: /The events of a refund do not lead to its status in the order of time: [0-9a-f-]{36}\./,
    plant: `INSERT INTO refunds (id, payment_request_id, merchant_id, amount_cents, created_at)
              SELECT gen_random_uuid(), id, merchant_id, amount_cents, created_at
              FROM payment_requests WHERE id = '{paid}'`,
  },
  {
    fault: 'a payment was completed a year before its payment request',
    found: ['payment requests'],
    says: /not in the order of time, or in the future: {paid}\./,
    plant: paid(`payment_completed_at = created_at - interval '1 year'`),
  },
  {
    fault: 'a payment is completed a year after it was reported',
    found: ['payment requests'],
    says: /not in the order of time, or in the future: {paid}\./,
    plant: paid(`payment_completed_at = created_at + interval '1 year'`),
  },
  {
    fault: 'a payment request is created tomorrow',
    found: ['payment requests'],
    says: /not in the order of time, or in the future: {created}\./,
    plant: `UPDATE payment_requests SET created_at = service_now() + interval '1 day'
            WHERE id = '{created}'`,
  },
  {
    fault: 'events run backwards',
    found: ['payment requests'],
    says: /not in the order of time, or in the future: {paid}\./,
    plant: `UPDATE payment_request_moves SET occurred_at = occurred_at - interval '1 year'
            WHERE payment_request_id = '{paid}'`,
  },
  {
    fault: 'an open payment request expires in ten years',
    found: ['payment requests'],
    says: /expiry precedes the creation, or lies too far ahead: {created}\./,
    plant: `UPDATE payment_requests SET expires_at = service_now() + interval '10 years'
            WHERE id = '{created}'`,
  },
  {
    fault: 'a PAID payment request expires in ten years',
    found: ['payment requests'],
    says: /expiry precedes the creation, or lies too far ahead: {paid}\./,
    plant: paid(`expires_at = created_at + interval '10 years'`),
  },
  {
    fault: 'webhook_sequence is 0 below its events',
    found: ['payment requests'],
    says: /numbers of the webhook events do not count to webhook_sequence: {paid}\./,
    plant: paid('webhook_sequence = 0'),
  },
  {
    fault: 'the newest webhook event of several is missing',
    found: ['payment requests'],
    says: /numbers of the webhook events do not count to webhook_sequence: {paid}\./,
    plant: paid('webhook_sequence = 2'),
  },
  {
    fault: 'the short code of a payment request with an event is changed',
    found: ['payment requests'],
    says: /short code differs from the webhook event’s or the network’s link: {paid}\./,
    plant: paid('short_code = reverse(short_code)'),
  },
  {
    fault: 'the short code of a payment request with an opened link is changed',
    found: ['payment requests'],
    says: /short code differs from the webhook event’s or the network’s link: {created}\./,
    plant: `INSERT INTO gateway_payments
              (id, payment_request_id, amount_cents, currency, merchant_name, payment_link,
               qr_code_link, return_url, expires_at)
            SELECT 'opened', id, 1234, 'CAD', 'Demo Shop', 'https://x/' || reverse(short_code),
              'https://x/', 'https://x/', expires_at
            FROM payment_requests WHERE id = '{created}'`,
  },
  {
    fault: 'a sandbox step is a day overdue',
    found: ['overdue steps'],
    says: /Due for more than 300 s: sandbox step of {created}\./,
    plant: STEP,
  },
  {
    fault: 'an advance waits for a day',
    found: ['overdue steps'],
    says: /Due for more than 300 s: advance of {created}\./,
    plant: `INSERT INTO sandbox_advances (payment_request_id, remaining_us, created_at)
            VALUES ('{created}', 1, service_now() - interval '1 day')`,
  },
  {
    fault: 'a refund is a day overdue',
    found: ['overdue steps'],
    says: /Due for more than 300 s: refund [0-9a-f-]{36}\./,
    plant: `INSERT INTO refunds (id, payment_request_id, merchant_id, amount_cents, created_at,
                next_poll_at)
              SELECT gen_random_uuid(), id, merchant_id, amount_cents, created_at,
                service_now() - interval '1 day'
              FROM payment_requests WHERE id = '{paid}';
            INSERT INTO refund_events SELECT id, 1, 'CREATED', 'CREATED', created_at FROM refunds`,
  },
  {
    fault: 'an erasure is a day overdue',
    found: ['overdue steps'],
    says: /Due for more than 300 s: erasure of {created}\./,
    plant: `INSERT INTO payer_erasures
              SELECT id, merchant_id, 'NOT_OVER', 'test', service_now(),
                service_now() - interval '1 day'
              FROM payment_requests WHERE id = '{created}'`,
  },
  {
    fault: 'the limit of refunds is lifted beside the audit log',
    found: ['audited settings'],
    says: /Changed without an entry of the audit log: refunds a day of \S+\./,
    plant: 'UPDATE merchants SET refunds_per_day_cents = 100000000',
  },
  {
    fault: 'the limit of refunds is put back beside the audit log',
    found: ['audited settings'],
    says: /Changed without an entry of the audit log: refunds a day of \S+\./,
    plant: `INSERT INTO audit_log (actor, action, merchant_id, details)
            SELECT 'test', 'MERCHANT_LIMITS_CHANGED', id, '{"refundsPerDayCents": 0}'
            FROM merchants`,
  },
  {
    fault: 'a suspension is lifted beside the audit log',
    found: ['audited settings'],
    says: /Changed without an entry of the audit log: status of \S+\./,
    plant: `INSERT INTO audit_log (actor, action, merchant_id)
            SELECT 'test', 'MERCHANT_SUSPENDED', id FROM merchants`,
  },
  {
    fault: 'approvals are off beside the audit log',
    found: ['audited settings'],
    says: /Changed without an entry of the audit log: approvals\./,
    plant: `INSERT INTO audit_log (actor, action, details)
            VALUES ('test', 'APPROVALS_CHANGED', '{"to": {"isOn": true, "refundsAboveCents": 0}}')`,
  },
  {
    fault: 'autovacuum is off for a table',
    found: ['autovacuum'],
    says: /Autovacuum is off by payment_requests: /,
    plant: 'ALTER TABLE payment_requests SET (autovacuum_enabled = off)',
  },
  {
    fault: 'autovacuum is off for the long texts of a table',
    found: ['autovacuum'],
    says: /Autovacuum is off by webhook_events: /,
    plant: 'ALTER TABLE webhook_events SET (toast.autovacuum_enabled = no)',
  },
  {
    fault: 'the server does not count, as autovacuum needs',
    found: ['autovacuum'],
    says: /Autovacuum is off by track_counts: /,
    plant: 'SET LOCAL track_counts = off',
  },
  {
    fault: 'the database allows another change of status',
    found: ['schema'],
    says: /other changes of status/,
    plant: `INSERT INTO payment_request_transitions VALUES ('PAID', 'CREATED')`,
  },
  {
    fault: 'an index is invalid',
    found: ['schema'],
    says: /not as the migrations made them: index webhook_deliveries_due\./,
    plant: `UPDATE pg_index SET indisvalid = false
            WHERE indexrelid = 'webhook_deliveries_due'::regclass`,
  },
  {
    fault: 'a default is dropped',
    found: ['schema'],
    says: /not as the migrations made them: column webhook_events\.created_at\./,
    plant: 'ALTER TABLE webhook_events ALTER COLUMN created_at DROP DEFAULT',
  },
  {
    fault: 'a signing key is damaged',
    found: ['secrets'],
    says: /cannot be read with this SECRETS_KEY: signing-key:/,
    plant: `UPDATE signing_keys SET private_key_encrypted = set_byte(private_key_encrypted, 40,
              255 - get_byte(private_key_encrypted, 40))`,
  },
  {
    fault: 'the runtime role has lost a right',
    found: ['database roles'],
    says: /role doctor_runtime_\S+ lacks SELECT on payment_requests: run payreq migrate/,
    plant: `${RUNTIME} REVOKE SELECT ON payment_requests FROM ${ROLE}`,
    ...OF_RUNTIME,
  },
  {
    fault: 'the runtime role may delete from the audit log',
    found: ['database roles'],
    isWarning: true,
    says: /role doctor_runtime_\S+ has DELETE on audit_log, and could rewrite/,
    plant: `${RUNTIME} GRANT DELETE ON audit_log TO ${ROLE}`,
    ...OF_RUNTIME,
  },
  {
    fault: 'the runtime role owns a table',
    found: ['database roles'],
    isWarning: true,
    says: /role doctor_runtime_\S+ owns tables, and could rewrite/,
    plant: `${RUNTIME} ALTER TABLE merchants OWNER TO ${ROLE}`,
    ...OF_RUNTIME,
  },
  {
    fault: 'the runtime role is a member of the owner without its rights',
    found: ['database roles'],
    isWarning: true,
    says: /is a member of doctor_owner_\S+, which owns tables, .*: revoke doctor_owner_\S+ from/,
    plant: `${RUNTIME} CREATE ROLE ${OWNER}; ALTER TABLE merchants OWNER TO ${OWNER};
            ALTER ROLE ${ROLE} NOINHERIT; GRANT ${OWNER} TO ${ROLE}`,
    ...OF_RUNTIME,
  },
];
