import { randomBytes, randomUUID } from 'node:crypto';
import { sealParty } from '#e-transfer/bank-transfer/entries/party-box.ts';
import type { MatchRefundDeps } from '#e-transfer/bank-transfer/refunds-out/match-refund-entries.ts';
import {
  createRefundsOut,
  type RefundsOutDeps,
} from '#e-transfer/bank-transfer/refunds-out/refunds-out.ts';
import type { SendRefundsDeps } from '#e-transfer/bank-transfer/refunds-out/send-refunds.ts';
import type { NetworkListener } from '#e-transfer/e-transfer-network.ts';
import type {
  NetworkRefund,
  NetworkRefunds,
  RefundReport,
  UnclearRefundBooking,
} from '#e-transfer/network-refunds.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';

export const MERCHANT_IBAN = 'DE89370400440532013000';
export const OTHER_MERCHANT_IBAN = 'AT611904300234573201';
export const PAYER_IBAN = 'FR1420041010050500013M02606';
export const OTHER_PAYER_IBAN = 'NL91ABNA0417164300';
export const MERCHANT = 'mer_bank';

/** Refunds out of the bank-transfer network alone, on rows that the other parts would write. */
export interface StoredPayments {
  readonly database: TestDatabase;
  readonly clock: FakeClock;
  readonly refunds: NetworkRefunds;
  readonly deps: RefundsOutDeps & SendRefundsDeps & MatchRefundDeps;
  readonly accountId: string;
  /** Every report that was taken, in order. */
  readonly reports: RefundReport[];
  /** Every booking that was reported as a case. */
  readonly bookings: UnclearRefundBooking[];
  /** Runs in the next call of `reportRefunds`, before it writes. */
  beforeReport: (() => Promise<void>) | null;
  /** Closes the account at its bank; the merchant gets another one. */
  closeAccount(): Promise<void>;
  /** Money that arrived for a new payment request; several rows for several movements. */
  pay(...movements: readonly Incoming[]): Promise<string>;
  /** A refund of the payment request, CREATED. */
  refund(paymentRequestId: string, changes?: Partial<NetworkRefund>): Promise<NetworkRefund>;
  /** Creates the refund and hands it over. */
  queue(changes?: Partial<NetworkRefund>, incoming?: Incoming): Promise<NetworkRefund>;
  statusOf(refund: NetworkRefund): Promise<string>;
  stop(): Promise<void>;
}

export interface Incoming {
  readonly amountCents?: number;
  readonly name?: string | null;
  readonly iban?: string | null;
  readonly reference?: string;
  readonly outcome?: string;
  /** Not written to the ledger: the money of a case. */
  readonly isCase?: boolean;
}

export async function startStoredPayments(): Promise<StoredPayments> {
  const clock = createFakeClock(new Date('2026-03-01T12:00:00.000Z'));
  const database = await createTestDatabase('production', clock.now());
  const key: RotatingKey = { current: randomBytes(32), previous: null };
  const accountId = await addMerchant(database);
  const reports: RefundReport[] = [];
  const bookings: UnclearRefundBooking[] = [];
  const reportRefunds: NetworkListener['reportRefunds'] = async (reported, alsoWrite) => {
    await stored.beforeReport?.();
    await database.db.transaction(async (tx) => {
      for (const { refundId, outcome } of reported) {
        const from = outcome.state === 'PROCESSING' ? 'CREATED' : 'PROCESSING';
        await tx.query(SET_STATUS, [refundId, outcome.state, from, reasonOf(outcome)]);
      }
      await alsoWrite?.(tx);
    });
    reports.push(...reported);
  };
  const deps = {
    db: database.db,
    clock,
    secretsKey: key,
    connections: [],
    programRelease: 'person' as const,
    calendar: 'TARGET' as const,
    timeZone: 'Europe/Berlin',
    reportRefunds,
    async reportRefundBooking(booking: UnclearRefundBooking) {
      bookings.push(booking);
    },
  };
  const refunds = createRefundsOut(deps);
  const stored: StoredPayments = {
    database,
    clock,
    deps,
    refunds,
    accountId,
    reports,
    bookings,
    beforeReport: null,
    async closeAccount() {
      await database.sql(
        `UPDATE creditor_accounts SET closed_at = service_now(), replaced_at = service_now();
         INSERT INTO creditor_account_keys VALUES ('${OTHER_MERCHANT_IBAN}', '${MERCHANT}');
         INSERT INTO creditor_accounts (id, merchant_id, version, holder, account_number)
         VALUES ('${randomUUID()}', '${MERCHANT}', 2, 'New Books', '${OTHER_MERCHANT_IBAN}')`,
      );
    },
    pay: (...movements) => pay(database, key, movements),
    refund: (paymentRequestId, changes = {}) => createRefund(database, paymentRequestId, changes),
    async queue(changes = {}, incoming = {}) {
      const paymentRequestId = await stored.pay(incoming);
      const refund = await stored.refund(paymentRequestId, changes);
      const started = await stored.refunds.start(refund, new AbortController().signal);
      if (started.state !== 'QUEUED') throw new Error(JSON.stringify(started));
      return refund;
    },
    async statusOf({ refundId }) {
      const [row] = await database.sql<{ status: string }>(
        'SELECT status FROM refunds WHERE id = $1',
        [refundId],
      );
      return row?.status ?? 'NONE';
    },
    stop: () => database.drop(),
  };
  return stored;
}

const SET_STATUS = {
  name: 'test-refund-set-status',
  text: `UPDATE refunds SET status = CASE $2 WHEN 'RETURNED' THEN 'FAILED' ELSE $2 END,
      status_reason_code = $4 WHERE id = $1 AND (status = $3 OR $2 = 'RETURNED')`,
};

function reasonOf(outcome: RefundReport['outcome']): string | null {
  if (outcome.state === 'RETURNED') return 'REFUND_RETURNED';
  return outcome.state === 'FAILED' ? outcome.reason : null;
}

async function addMerchant({ sql }: TestDatabase): Promise<string> {
  const accountId = randomUUID();
  await sql(
    `INSERT INTO merchants (id, name, listener_username, listener_password_encrypted,
       signing_secret_encrypted) VALUES ('${MERCHANT}', 'Harbour Books', 'u', '\\x00', '\\x00');
     INSERT INTO creditor_account_keys VALUES ('${MERCHANT_IBAN}', '${MERCHANT}');
     INSERT INTO creditor_accounts (id, merchant_id, version, holder, account_number, bic)
     VALUES ('${accountId}', '${MERCHANT}', 1, 'Harbour Books GmbH', '${MERCHANT_IBAN}',
             'COBADEFFXXX')`,
  );
  return accountId;
}

async function pay(
  { sql }: TestDatabase,
  key: RotatingKey,
  movements: readonly Incoming[],
): Promise<string> {
  const id = randomUUID();
  const sums = movements.map(({ amountCents = 10_000 }) => amountCents);
  const received = sums.reduce((sum, each) => sum + each, 0);
  // The triggers that guard moves of a status are passed by: the row starts PAID.
  await sql(
    `SET LOCAL session_replication_role = 'replica';
     INSERT INTO payment_requests (id, merchant_id, amount_cents, type, payer_name, payer_email,
       short_code, status, payment_institution, payment_network_reference, payment_completed_at,
       version, webhook_sequence, created_at, expires_at, received_cents)
     VALUES ('${id}', '${MERCHANT}', ${received}, 'ECOMM', 'Ada', 'ada@example.com',
       '${randomBytes(8).toString('hex')}', 'PAID', 'BANK', 'N', service_now(), 2, 1,
       service_now(), service_now(), ${received})`,
  );
  for (const movement of movements) await addMovement({ sql }, key, id, movement);
  return id;
}

async function addMovement(
  { sql }: Pick<TestDatabase, 'sql'>,
  key: RotatingKey,
  paymentRequestId: string,
  incoming: Incoming,
): Promise<void> {
  const { amountCents = 10_000, name = 'Ada Lovelace', outcome = 'EXACT' } = incoming;
  const iban = incoming.iban === undefined ? PAYER_IBAN : incoming.iban;
  const id = randomUUID();
  const reference = incoming.reference ?? `BANK-${id}`;
  await sql(
    `INSERT INTO bank_movements (id, account, direction, amount_cents, currency, booking_date,
       booked_at, network_reference, institution, party_box, is_confirmed, outcome,
       payment_request_id)
     VALUES ($1, $2, 'CREDIT', $3, 'EUR', '2026-03-01', service_now(), $4, 'BANK', $5, true, $6,
       $7)`,
    [
      id,
      MERCHANT_IBAN,
      amountCents,
      reference,
      sealParty(key, id, { name, account: iban }),
      outcome,
      paymentRequestId,
    ],
  );
  if (incoming.isCase) return;
  await sql(
    `INSERT INTO ledger_entries (id, merchant_id, type, amount_cents, currency,
       payment_request_id, network_reference)
     VALUES ($1, $2, 'PAYMENT', $3, 'EUR', $4, $5)`,
    [randomUUID(), MERCHANT, amountCents, paymentRequestId, reference],
  );
}

async function createRefund(
  { sql }: TestDatabase,
  paymentRequestId: string,
  changes: Partial<NetworkRefund>,
): Promise<NetworkRefund> {
  const refund: NetworkRefund = {
    refundId: randomUUID(),
    paymentRequestId,
    amountCents: 2_500,
    currency: 'EUR',
    message: null,
    movementReference: null,
    ...changes,
  };
  await sql(
    `INSERT INTO refunds (id, payment_request_id, merchant_id, amount_cents, is_of_payment,
       created_at) VALUES ($1, $2, $3, $4, $5, service_now())`,
    [
      refund.refundId,
      paymentRequestId,
      MERCHANT,
      refund.amountCents,
      refund.movementReference === null,
    ],
  );
  return refund;
}
