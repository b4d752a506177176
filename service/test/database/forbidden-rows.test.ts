import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { APPROVAL_ROWS } from './rows/approvals.ts';
import { BANK_REFUND_ROWS } from './rows/bank-refunds.ts';
import { BANK_STATEMENT_ROWS } from './rows/bank-statements.ts';
import { BANK_TRANSFER_ROWS } from './rows/bank-transfer.ts';
import { CONSOLE_ROWS } from './rows/console.ts';
import { CONSOLE_OPERATOR_ROWS } from './rows/console-operators.ts';
import { COUNTER_ROWS } from './rows/counters.ts';
import { MERCHANT_NOTICE_ROWS } from './rows/merchant-notices.ts';
import { MESSAGE_ROWS } from './rows/messages.ts';
import { MONEY_ROWS } from './rows/money.ts';
import { MONEY_IN_ROWS } from './rows/money-in.ts';
import { REFUND_ROWS } from './rows/refunds.ts';
import { RESTORE_ROWS } from './rows/restores.ts';
import { RETENTION_ROWS } from './rows/retention.ts';
import { AT, hash, ID, OTHER_ID, type Row, type RowsOfPart } from './rows/rows-of-part.ts';
import { SAVED_VIEW_ROWS } from './rows/saved-views.ts';

const PARTS = [
  APPROVAL_ROWS,
  MONEY_ROWS,
  MONEY_IN_ROWS,
  BANK_STATEMENT_ROWS,
  BANK_TRANSFER_ROWS,
  REFUND_ROWS,
  BANK_REFUND_ROWS,
  RESTORE_ROWS,
  RETENTION_ROWS,
  MERCHANT_NOTICE_ROWS,
  CONSOLE_ROWS,
  COUNTER_ROWS,
  CONSOLE_OPERATOR_ROWS,
  SAVED_VIEW_ROWS,
  MESSAGE_ROWS,
];

/** A valid row of each table that has a constraint. */
const VALID: Readonly<Record<string, Row>> = {
  api_keys: {
    id: ID,
    merchant_id: 'mer_1',
    secret_hash: hash(32),
    pepper_id: hash(8),
    hint: 'abcd',
  },
  audit_checkpoints: {
    position: 1,
    hash: hash(32),
    is_start: false,
    created_at: AT,
    signature: hash(32),
  },
  audit_log: { actor: 'Ada', action: 'TESTED', position: 1, hash: hash(32) },
  audit_log_head: { position: 1, hash: hash(32) },
  deployment: { environment: 'sandbox' },
  gateway_payments: {
    id: 'pay_1',
    payment_request_id: ID,
    amount_cents: 1,
    currency: 'CAD',
    merchant_name: 'Harbour Books',
    payment_link: 'https://pay.example/1',
    qr_code_link: 'https://pay.example/qr/1',
    return_url: 'https://pay.example/1?returned=1',
    expires_at: AT,
  },
  gateway_sessions: {
    id_hash: hash(32),
    payment_id: 'pay_1',
    institution: 'boreal',
    expires_at: AT,
  },
  idempotency_answers: {
    merchant_id: 'mer_1',
    key: 'k',
    fingerprint: hash(32),
    status: 201,
    headers: '{}',
    body: '{}',
  },
  merchant_logos: { hash: hash(32), png: hash(1) },
  merchant_profiles: { merchant_id: 'mer_1' },
  merchants: {
    id: 'mer_1',
    name: 'Harbour Books',
    listener_username: 'u',
    listener_password_encrypted: hash(1),
    signing_secret_encrypted: hash(1),
  },
  operator_cases: { id: ID, kind: 'AMOUNT_MISMATCH', details: '{}', opened_at: AT },
  payment_request_timeline: { payment_request_id: ID, type: 'UPDATED', occurred_at: AT },
  payment_requests: {
    id: ID,
    merchant_id: 'mer_1',
    unique_transaction_id: 'order-1',
    amount_cents: 1,
    type: 'ECOMM',
    payer_name: 'Ada',
    payer_email: 'ada@example.com',
    short_code: 'abcdefghABCDEFGH',
    created_at: AT,
    expires_at: AT,
  },
  rate_limit_windows: { merchant_id: 'mer_1', kind: 'reads', second: AT, taken: 1 },
  sandbox_advances: { payment_request_id: ID, remaining_us: 0 },
  schema_compatibility: { schema: 900, works_with: 1 },
  webhook_deliveries: {
    id: ID,
    event_id: ID,
    merchant_id: 'mer_1',
    payment_request_id: ID,
    sequence: 1,
    url: 'https://shop.example/',
    destination: 'mer_1 https://shop.example',
  },
  webhook_destinations: { destination: 'mer_1 https://shop.example' },
  webhook_endpoints: {
    id: ID,
    merchant_id: 'mer_1',
    url: 'https://shop.example/',
    listener_username: 'u',
    listener_password_encrypted: hash(1),
    signing_secret_encrypted: hash(1),
  },
  webhook_events: {
    id: ID,
    merchant_id: 'mer_1',
    payment_request_id: ID,
    sequence: 1,
    event_type: 'PAYMENT-FAILED',
    body: '{}',
  },
  webhook_replays: {
    id: ID,
    merchant_id: 'mer_1',
    endpoint_id: ID,
    from_at: AT,
    to_at: AT,
    only_failed: true,
    position_at: AT,
  },
  ...Object.assign({}, ...PARTS.map(({ valid }) => valid)),
};

/** Changes of the valid row, each of which breaks the CHECK; a range has a row beyond each end. */
const BREAKS: Readonly<Record<string, readonly Row[]>> = {
  audit_checkpoints_hash_check: [{ hash: hash(31) }, { hash: hash(33) }],
  audit_checkpoints_signature_check: [{ signature: hash(31) }, { signature: hash(33) }],
  audit_log_head_hash_check: [{ hash: hash(31) }, { hash: hash(33) }],
  audit_log_head_only_row_check: [{ only_row: false }],
  deployment_cell_check: [{ cell: 0 }, { cell: 1_000 }],
  deployment_environment_check: [{ environment: 'staging' }],
  deployment_only_row_check: [{ only_row: false }],
  gateway_payments_amount_cents_check: [{ amount_cents: 0 }],
  gateway_payments_check: [{ state: 'REFUSED' }, { refusal_reason: 'PAYER_DECLINED' }],
  gateway_payments_state_check: [{ state: 'LOST' }],
  gateway_sessions_attempted_username_check: [
    { attempted_username: '' },
    { attempted_username: 'u'.repeat(65) },
  ],
  idempotency_answers_fingerprint_check: [{ fingerprint: hash(31) }, { fingerprint: hash(33) }],
  idempotency_answers_key_check: [{ key: '' }, { key: 'k'.repeat(256) }],
  idempotency_answers_status_check: [{ status: 199 }, { status: 400 }],
  merchant_logos_hash_check: [{ hash: hash(31) }, { hash: hash(33) }],
  merchant_logos_png_check: [{ png: hash(131_073) }],
  merchant_profiles_accent_colour_check: [
    { accent_colour: '#12345' },
    { accent_colour: '#1234567' },
    { accent_colour: '#12345G' },
    { accent_colour: '123456#' },
  ],
  merchant_profiles_display_name_check: [{ display_name: '' }, { display_name: 'n'.repeat(101) }],
  merchant_profiles_support_email_check: [
    { support_email: 'a@' },
    { support_email: 'a'.repeat(255) },
  ],
  merchant_profiles_support_phone_check: [
    { support_phone: '123456' },
    { support_phone: '1'.repeat(31) },
  ],
  merchant_profiles_time_zone_check: [{ time_zone: '' }, { time_zone: 'z'.repeat(65) }],
  merchant_profiles_website_check: [
    { website: 'http://shop.example' },
    { website: 'https://' },
    { website: `https://${'w'.repeat(2041)}` },
  ],
  merchants_name_check: [{ name: '' }, { name: 'n'.repeat(101) }],
  merchants_previous_secret_ends: [
    { previous_signing_secret_encrypted: hash(1) },
    { previous_signing_secret_until: AT },
  ],
  merchants_status_check: [{ status: 'GONE' }],
  payment_request_timeline_type_check: [{ type: 'FORGOTTEN' }],
  payment_requests_amount_cents_check: [{ amount_cents: 0 }],
  payment_requests_check: [{ payer_email: null }],
  payment_requests_check1: [
    { webhook_url: 'https://shop.example/' },
    { webhook_url_field: 'webhookUrl' },
  ],
  payment_requests_check2: [{ status: 'FAILED' }, { status_reason_code: 'PAYER_DECLINED' }],
  payment_requests_check3: [{ status: 'PAID' }, { payment_completed_at: AT }],
  payment_requests_check4: [{ paid_late: true }],
  payment_requests_sandbox_advanced_us_check: [{ sandbox_advanced_us: 0 }],
  payment_requests_short_code_check: [
    { short_code: 'abcdefghABCDEFG' },
    { short_code: 'abcdefghABCDEFGHI' },
    { short_code: 'abcdefghABCDEFG-' },
    { short_code: 'c1-abcdefghABCDEFGH' },
    { short_code: 'c1000-abcdefghABCDEFGH' },
    { short_code: 'C2-abcdefghABCDEFGH' },
  ],
  payment_requests_status_check: [{ status: 'LOST' }],
  payment_requests_delivery_mode_check: [{ delivery_mode: 'PIGEON' }],
  payment_requests_type_check: [{ type: 'POS' }],
  payment_requests_webhook_url_field_check: [
    { webhook_url: 'https://shop.example/', webhook_url_field: 'url' },
  ],
  rate_limit_windows_kind_check: [{ kind: 'pages' }],
  sandbox_advances_remaining_us_check: [{ remaining_us: -1 }],
  schema_compatibility_check: [{ works_with: 0 }, { works_with: 901 }],
  webhook_deliveries_check: [{ next_attempt_at: null }, { status: 'SUCCEEDED' }],
  webhook_deliveries_check1: [{ lease_token: ID }, { leased_until: AT }],
  webhook_deliveries_check2: [{ uncounted_attempts: -1 }, { uncounted_attempts: 1 }],
  webhook_deliveries_ended_because_check: [{ ended_because: 'BORED' }],
  webhook_deliveries_status_check: [{ status: 'LOST', next_attempt_at: null }],
  webhook_destinations_check: [{ opened_at: AT }, { next_probe_at: AT }],
  webhook_destinations_holding_check: [{ is_holding: true }],
  webhook_destinations_url_check: [{ origin: 'mer_1 https://shop.example' }, { url: 'https://x/' }],
  webhook_endpoints_deleted_is_paused: [{ deleted_at: AT }],
  webhook_endpoints_status_check: [{ status: 'GONE' }],
  webhook_endpoints_url_check: [{ url: `https://shop.example/${'u'.repeat(2048 - 20)}` }],
  webhook_events_misbehaviour_check: [{ misbehaviour: 'LATE' }],
  webhook_events_owed_deliveries_check: [{ owed_deliveries: -1 }],
  webhook_events_sequence_check: [{ sequence: 0 }],
  webhook_replays_check: [{ status: 'COMPLETED' }, { completed_at: AT }],
  webhook_replays_status_check: [{ status: 'LOST', completed_at: AT }],
  ...Object.assign({}, ...PARTS.map(({ breaks }) => breaks)),
};

/**
 * Constraints that no row can break alone: a row with schema 0 breaks schema_compatibility_check, and an IBAN
 * twice breaks the primary key.
 */
const IMPLIED = ['creditor_account_keys_of_merchant', 'schema_compatibility_schema_check'];

/** Changes that leave the second of two rows equal only where the unique index forbids it. */
const TWINS: RowsOfPart['twins'] = {
  api_keys_secret_hash_key: { id: OTHER_ID },
  audit_log_one_chain: {},
  creditor_account_keys_statement_id_key: { key: 'CA:00312345:1234567' },
  gateway_payments_payment_request_id_key: { id: 'pay_2' },
  operator_cases_once: { id: OTHER_ID },
  payment_requests_short_code_key: { id: OTHER_ID, unique_transaction_id: null },
  payment_requests_unique_transaction: { id: OTHER_ID, short_code: 'bbcdefghABCDEFGH' },
  webhook_deliveries_event_id_endpoint_id_key: { id: OTHER_ID },
  webhook_endpoints_of_merchant: { id: OTHER_ID },
  webhook_events_payment_request_id_sequence_key: { id: OTHER_ID },
  webhook_replays_running: { id: OTHER_ID },
  ...Object.assign({}, ...PARTS.map(({ twins }) => twins)),
};

let database: TestDatabase;
let tables: ReadonlyMap<string, string>;

before(async () => {
  database = await createTestDatabase('sandbox');
  const found = await database.sql<{ name: string; table: string }>(
    `SELECT conname AS name, conrelid::regclass::text AS table FROM pg_constraint
     WHERE contype = 'c' AND connamespace = 'public'::regnamespace
     UNION ALL
     SELECT i.indexrelid::regclass::text, i.indrelid::regclass::text
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indisunique AND NOT i.indisprimary
       AND c.relnamespace = 'public'::regnamespace`,
  );
  tables = new Map(found.map(({ name, table }) => [name, table]));
});
after(() => database.drop());

/** Inserts rows into an empty table without triggers and foreign keys, and takes them back. */
async function insert(table: string, rows: readonly Row[]): Promise<void> {
  await database.db
    .transaction(async (tx) => {
      const run = (text: string, values: unknown[] = []) => tx.query({ name: '', text }, values);
      await run("SET LOCAL session_replication_role = 'replica'");
      await run(`DELETE FROM ${table}`);
      for (const row of rows) {
        const names = Object.keys(row);
        const places = names.map((_, index) => `$${index + 1}`);
        await run(`INSERT INTO ${table} (${names}) VALUES (${places})`, Object.values(row));
      }
      throw new Error('taken back');
    })
    .catch((error: Error) => {
      if (error.message !== 'taken back') throw error;
    });
}

function tableOf(constraint: string): string {
  const table = tables.get(constraint);
  assert.ok(table, `the database has ${constraint}`);
  return table;
}

describe('the database', () => {
  it('has a forbidden row in this test for every CHECK and unique index', () => {
    assert.deepEqual(
      [...Object.keys(BREAKS), ...Object.keys(TWINS), ...IMPLIED].sort(),
      [...tables.keys()].sort(),
    );
  });

  for (const [table, row] of Object.entries(VALID)) {
    it(`takes a valid row of ${table}`, () => insert(table, [row]));
  }

  for (const [constraint, breaks] of Object.entries(BREAKS)) {
    it(`refuses rows that break ${constraint}`, async () => {
      const table = tableOf(constraint);
      for (const changed of breaks) {
        const inserting = insert(table, [{ ...VALID[table], ...changed }]);
        await assert.rejects(inserting, { code: '23514', constraint }, JSON.stringify(changed));
      }
    });
  }

  for (const [constraint, changes] of Object.entries(TWINS)) {
    it(`refuses a second row that breaks ${constraint}`, async () => {
      const table = tableOf(constraint);
      const [both, second] = Array.isArray(changes) ? changes : [{}, changes];
      const row = { ...VALID[table], ...both };
      const inserting = insert(table, [row, { ...row, ...second }]);
      await assert.rejects(inserting, { code: '23505', constraint });
    });
  }
});
