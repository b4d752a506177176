import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { connectDatabase, type Database } from '#database/database.ts';
import { systemClock } from '#lib/clock.ts';
import { type Result, runChecks } from '../../../src/commands/doctor/run-checks.ts';
import type { CheckDeps } from '../../../src/commands/doctor/verdict.ts';
import { ACCOUNTING_FAULTS } from './accounting-faults.ts';
import { type BusyDeployment, makeBusyDeployment } from './busy-deployment.ts';
import { type PlantedFault, UNGUARDED } from './planted-fault.ts';

/** All checks together take a second; a busy machine needs more. */
const LONGEST_EXAMINATION_MS = 60_000;
class Undo extends Error {}

/** A delivery to an endpoint that is not paused. */
const ONE_OF_PAID = `SELECT d.id FROM webhook_deliveries d
  JOIN webhook_endpoints e ON e.id = d.endpoint_id AND e.status = 'ACTIVE'
  WHERE d.payment_request_id = '{paid}' LIMIT 1`;

/** A refund of all that was paid, COMPLETED. */
const REFUND = `INSERT INTO refunds (id, payment_request_id, merchant_id, amount_cents, status,
                  created_at)
    SELECT gen_random_uuid(), id, merchant_id, amount_cents, 'COMPLETED', created_at
    FROM payment_requests WHERE id = '{paid}';
  INSERT INTO refund_events SELECT id, 1, 'CREATED', 'CREATED', created_at FROM refunds;
  INSERT INTO refund_events SELECT id, 2, 'COMPLETED', 'EXECUTED', created_at FROM refunds;
  UPDATE payment_requests SET refunded_cents = amount_cents WHERE id = '{paid}'`;
const REFUND_ENTRY = `INSERT INTO ledger_entries (id, merchant_id, type, amount_cents, currency,
                        payment_request_id, refund_id)
    SELECT gen_random_uuid(), merchant_id, 'REFUND', -amount_cents, 'CAD', payment_request_id, id
    FROM refunds`;

/** Statements of two days of an account with 100 cents a day. */
const STATEMENTS = `UPDATE deployment SET network = 'bank-transfer';
  INSERT INTO creditor_account_keys SELECT 'DE89370400440532013000', id FROM merchants LIMIT 1;
  INSERT INTO bank_files (id, sha256, size_bytes, state, kind)
    VALUES ('00000000-0000-4000-8000-000000000001', decode(repeat('ab', 32), 'hex'), 9,
            'COMPLETE', 'camt.053');
  INSERT INTO bank_statements (id, file_id, kind, account, bank_id, day, opening_cents,
      closing_cents, entries_cents)
    SELECT gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'camt.053',
      'DE89370400440532013000', day::text, '2026-03-01'::date + day, day * 100, day * 100 + 100, 100
    FROM generate_series(1, 2) AS day`;

/** A payer may pay to that account. */
const SHOWN_ACCOUNT = `INSERT INTO creditor_accounts (id, merchant_id, version, holder, account_number)
    SELECT '00000000-0000-4000-8000-000000000002', merchant_id, 1, 'Shop', key FROM creditor_account_keys;
  INSERT INTO bank_transfer_requests (payment_request_id, page_key, merchant_id, reference,
      account_id, amount_cents, currency, merchant_name, payment_link, qr_code_link, return_url,
      expires_at)
    SELECT gen_random_uuid(), repeat('k', 22), merchant_id, 'RF180000', id, 1, 'EUR', 'Shop', '', '',
      '', service_now() FROM creditor_accounts`;

const FAULTS: readonly PlantedFault[] = [
  {
    fault: 'a delivery is deleted',
    found: ['deliveries'],
    says: /Deliveries are missing for [0-9a-f-]{36}\./,
    plant: `DELETE FROM webhook_attempts WHERE delivery_id IN (
              SELECT id FROM webhook_deliveries WHERE payment_request_id = '{paid}');
            DELETE FROM webhook_deliveries WHERE payment_request_id = '{paid}'
              AND id = (SELECT min(id::text)::uuid FROM webhook_deliveries
                        WHERE payment_request_id = '{paid}')`,
  },
  {
    fault: 'a delivery has no event',
    found: ['references'],
    says: /webhook_deliveries.event_id names webhook_events that do not exist: [0-9a-f-]{36}\./,
    plant: `${UNGUARDED} INSERT INTO webhook_deliveries
              (id, event_id, merchant_id, payment_request_id, sequence, url, destination)
            SELECT gen_random_uuid(), gen_random_uuid(), merchant_id, id, 1, 'https://x/', 'x'
            FROM payment_requests WHERE id = '{paid}'`,
  },
  {
    fault: 'a lease ends in 30 days',
    found: ['leases'],
    says: /Leases end later .*: delivery [0-9a-f-]{36}/,
    plant: `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(), completed_at = NULL,
              leased_until = service_now() + interval '30 days', status = 'PENDING',
              next_attempt_at = service_now()
            WHERE id = (${ONE_OF_PAID})`,
  },
  {
    fault: 'the claim of an advance ends in 30 days',
    found: ['leases'],
    says: /Leases end later .*: advance of {paid}\./,
    plant: `INSERT INTO sandbox_advances (payment_request_id, remaining_us, claimed_until)
            VALUES ('{paid}', 1, service_now() + interval '30 days')`,
  },
  {
    fault: 'the next attempt of a delivery is in 30 days',
    found: ['deliveries'],
    says: /attempted later than the schedule allows: [0-9a-f-]{36}/,
    plant: `UPDATE webhook_deliveries SET status = 'PENDING', completed_at = NULL,
              next_attempt_at = service_now() + interval '30 days'
            WHERE id = (${ONE_OF_PAID})`,
  },
  {
    fault: 'an index is dropped',
    found: ['schema'],
    says: /missing: index webhook_deliveries_due\./,
    plant: 'DROP INDEX webhook_deliveries_due',
  },
  {
    fault: 'a unique constraint is dropped',
    found: ['schema'],
    says: /missing: constraint payment_requests\.payment_requests_short_code_key/,
    plant: 'ALTER TABLE payment_requests DROP CONSTRAINT payment_requests_short_code_key',
  },
  {
    fault: 'a trigger is dropped',
    found: ['schema'],
    says: /missing: trigger payment_requests\.payment_requests_move\./,
    plant: 'DROP TRIGGER payment_requests_move ON payment_requests',
  },
  {
    fault: 'a trigger is disabled',
    found: ['schema'],
    says: /not as the migrations made them: trigger payment_requests\.payment_requests_move\./,
    plant: 'ALTER TABLE payment_requests DISABLE TRIGGER payment_requests_move',
  },
  {
    fault: 'the body of a trigger’s function is replaced',
    found: ['schema'],
    says: /not as the migrations made them: function refuse_unknown_transition\(\)\./,
    plant: `CREATE OR REPLACE FUNCTION refuse_unknown_transition() RETURNS trigger
            LANGUAGE plpgsql AS 'begin return new; end'`,
  },
  {
    fault: 'a column is dropped',
    found: ['schema'],
    says: /missing: column webhook_deliveries\.ended_because/,
    plant: 'ALTER TABLE webhook_deliveries DROP COLUMN ended_because',
  },
  {
    fault: 'a column has another type',
    found: ['schema'],
    says: /not as the migrations made them: column webhook_attempts\.http_status\./,
    plant: 'ALTER TABLE webhook_attempts ALTER COLUMN http_status TYPE bigint',
  },
  {
    fault: 'the amount is changed',
    found: ['payment requests'],
    says: /amount differs from the webhook event’s: {paid}\./,
    plant: `UPDATE payment_requests SET amount_cents = 1235 WHERE id = '{paid}'`,
  },
  {
    fault: 'the amount in the body of the event is changed',
    found: ['payment requests'],
    says: /amount differs from the webhook event’s: {paid}\./,
    plant: `UPDATE webhook_events SET body = replace(body, '"amount":12.34', '"amount":12.35')
            WHERE payment_request_id = '{paid}'`,
  },
  {
    fault: 'timeline rows are deleted',
    found: ['payment requests'],
    says: /timeline lacks an update or a cancellation: [^.]*{updated}/,
    plant: 'DELETE FROM payment_request_timeline',
  },
  {
    fault: 'one update is deleted from a timeline',
    found: ['payment requests'],
    says: /timeline lacks an update or a cancellation: {updated}\./,
    plant: `DELETE FROM payment_request_timeline WHERE id = (
              SELECT max(id) FROM payment_request_timeline WHERE payment_request_id = '{updated}')`,
  },
  {
    fault: 'a cancellation is deleted from a timeline',
    found: ['payment requests'],
    says: /timeline lacks an update or a cancellation: {cancelled}\./,
    plant: `DELETE FROM payment_request_timeline WHERE payment_request_id = '{cancelled}'`,
  },
  {
    fault: 'a merchant is missing',
    found: ['references'],
    says: /payment_requests\.merchant_id names merchants that do not exist/,
    plant: `${UNGUARDED} DELETE FROM merchants`,
  },
  {
    fault: 'a payment request is CREATED a day past its expiry',
    found: ['payment requests'],
    says: /CREATED though the expiry has passed: {created}\./,
    plant: `UPDATE payment_requests SET expires_at = service_now() - interval '1 day'
            WHERE id = '{created}'`,
  },
  {
    fault: 'a link is stuck: its payment at the network is over, unnoticed',
    found: ['network payments'],
    says: /payment at the network is over of 1 open payment request, .*: {created}\./,
    plant: `INSERT INTO network_requests (payment_request_id, next_look_at)
            VALUES ('{created}', service_now() + interval '1 hour');
            INSERT INTO gateway_payments
              (id, payment_request_id, amount_cents, currency, merchant_name, payment_link,
               qr_code_link, return_url, expires_at, state)
            SELECT 'overdue', id, 1234, 'CAD', 'Demo Shop', 'https://x/' || short_code, 'https://x/',
               'https://x/', service_now() + interval '1 day', 'CANCELLED'
            FROM payment_requests WHERE id = '{created}'`,
  },
  {
    fault: 'the CA file cannot be read',
    found: ['webhook CA'],
    says: /WEBHOOK_CA_FILE cannot be read .*ENOENT/,
    needs: { webhookCaFile: '/nowhere/ca.pem' },
  },
  {
    fault: 'the CA file holds no certificate',
    found: ['webhook CA'],
    says: /holds no certificate/,
    needs: { webhookCaFile: '/etc/passwd' },
  },
  {
    fault: 'no mail server answers',
    found: ['mail server'],
    says: /127\.0\.0\.1:1 does not answer: correct host and port in MAIL_SMTP_URL, or ask/,
    needs: {
      mailSmtpUrl: { host: '127.0.0.1', port: 1, isTls: false, needsStartTls: false, auth: null },
    },
  },
  {
    fault: 'a webhook event is deleted with its deliveries',
    found: ['outbox'],
    says: /wrong for {paid}\./,
    plant: `DELETE FROM webhook_deliveries WHERE payment_request_id = '{paid}';
            DELETE FROM webhook_events WHERE payment_request_id = '{paid}'`,
  },
  {
    fault: 'a refund’s event stands in the place of a payment’s',
    found: ['outbox'],
    says: /wrong for {paid}\./,
    plant: `UPDATE webhook_events SET event_type = 'REFUND-COMPLETED'
            WHERE payment_request_id = '{paid}' AND event_type = 'PAYMENT-COMPLETED'`,
  },
  {
    fault: 'a webhook event is deleted without its deliveries',
    found: ['outbox', 'references'],
    says: /wrong for {paid}\./,
    plant: `${UNGUARDED} DELETE FROM webhook_events WHERE payment_request_id = '{paid}'`,
  },
  {
    fault: 'all status events of a payment request are deleted',
    found: ['outbox'],
    says: /wrong for {paid}\./,
    plant: `DELETE FROM payment_request_moves WHERE payment_request_id = '{paid}'`,
  },
  {
    fault: 'PAID becomes CREATED',
    found: ['outbox'],
    says: /wrong for {paid}\./,
    plant: `${UNGUARDED} UPDATE payment_requests SET status = 'CREATED',
              payment_completed_at = NULL WHERE id = '{paid}'`,
  },
  {
    fault: 'CREATED becomes PAID',
    found: ['money', 'outbox'],
    says: /wrong for {created}\./,
    plant: `${UNGUARDED} UPDATE payment_requests SET status = 'PAID',
              payment_completed_at = now() WHERE id = '{created}'`,
  },
  {
    fault: 'PAID becomes FAILED',
    found: ['outbox'],
    says: /wrong for {paid}\./,
    plant: `${UNGUARDED} UPDATE payment_requests SET status = 'FAILED', payment_completed_at = NULL,
              status_reason_code = 'NETWORK_REJECTED' WHERE id = '{paid}'`,
  },
  {
    fault: 'a lease is stuck',
    found: ['leases'],
    says: /leased by a sender that is gone/,
    plant: `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(), completed_at = NULL,
              leased_until = service_now() - interval '2 minutes', status = 'PENDING',
              next_attempt_at = service_now()
            WHERE id = (${ONE_OF_PAID})`,
  },
  {
    fault: 'the database is newer',
    found: ['schema'],
    says: /9999-later works with a later version, and this version knows/,
    plant: `INSERT INTO schema_migrations (name, run_on) VALUES ('9999-later', now())`,
  },
  {
    fault: 'a migration has not run',
    found: ['schema'],
    says: /Not applied yet: 0014-retention/,
    plant: `DELETE FROM schema_migrations WHERE name = '0014-retention'`,
  },
  {
    fault: 'the database was restored from a dump',
    found: ['feed'],
    says: /The feed hides \d+ events/,
    plant: `UPDATE webhook_events SET transaction_id = '1000000000'`,
  },
  {
    fault: 'an entry of the audit log is deleted',
    found: ['audit log'],
    says: /Entry 2 is missing\. 1 fault in all/,
    plant: `${UNGUARDED} DELETE FROM audit_log WHERE position = 2`,
  },
  {
    fault: 'a payment request has received more than its ledger entries say',
    found: ['money'],
    says: /The sums differ from the ledger entries: [0-9a-f-]{36}\.$/,
    plant: `UPDATE payment_requests SET received_cents = received_cents + 1 WHERE id = '{paid}'`,
  },
  {
    fault: 'money was returned that the ledger does not know',
    found: ['money'],
    says: /The sums differ from the ledger entries: [0-9a-f-]{36}\.$/,
    plant: `UPDATE payment_requests SET returned_cents = 1 WHERE id = '{paid}'`,
  },
  {
    fault: 'an unpaid payment request has money in the ledger',
    found: ['money'],
    says: /The sums differ from the ledger entries: [0-9a-f-]{36}\.$/,
    plant: `INSERT INTO ledger_entries (id, merchant_id, type, amount_cents, currency,
              payment_request_id, network_reference)
            SELECT gen_random_uuid(), merchant_id, 'PART_PAYMENT', 100, 'CAD', id, 'planted'
            FROM payment_requests WHERE id = '{created}'`,
  },
  {
    fault: 'a sum of refunds has no refund',
    found: ['money'],
    says: /The sums of refunds differ from the refunds: [0-9a-f-]{36}\./,
    plant: `UPDATE payment_requests SET refunding_cents = 1 WHERE id = '{paid}'`,
  },
  {
    fault: 'a COMPLETED refund has no ledger entry',
    found: ['money'],
    says: /The ledger entries of a refund do not fit its status: [0-9a-f-]{36}\./,
    plant: REFUND,
  },
  {
    fault: 'a refund came back and the ledger does not know',
    found: ['money'],
    says: /The ledger entries of a refund do not fit its status: [0-9a-f-]{36}\./,
    plant: `${REFUND}; ${REFUND_ENTRY};
            UPDATE refunds SET status = 'FAILED', status_reason_code = 'REFUND_RETURNED';
            INSERT INTO refund_events SELECT id, 3, 'FAILED', 'MONEY_CAME_BACK', created_at
              FROM refunds;
            UPDATE payment_requests SET refunded_cents = 0 WHERE id = '{paid}'`,
  },
  {
    fault: 'the signing keys are gone',
    found: ['signing key'],
    says: /No key signs/,
    plant: 'DELETE FROM signing_keys',
  },
  {
    fault: 'CREDENTIALS_PEPPER is another one',
    found: ['pepper'],
    says: /another CREDENTIALS_PEPPER/,
    needs: { credentialsPepper: { current: randomBytes(32), previous: null } },
  },
  {
    fault: 'SECRETS_KEY is another one',
    found: ['secrets'],
    says: /cannot be read with this SECRETS_KEY/,
    needs: { secretsKey: { current: randomBytes(32), previous: null } },
  },
];

describe('payreq doctor, on a deployment that has lived', () => {
  let busy: BusyDeployment;
  before(async () => {
    busy = await makeBusyDeployment();
  });
  after(() => busy.remove());

  /** Plants a fault and examines, in a transaction that is rolled back: a copy takes longer. */
  async function examine(
    plant?: string,
    needs: Partial<CheckDeps> = {},
  ): Promise<readonly Result[]> {
    const db = connectDatabase({
      url: busy.database.url,
      poolSize: 1,
      transactionTimeoutMs: LONGEST_EXAMINATION_MS,
    });
    let results: readonly Result[] = [];
    const examined = db.transaction(async (tx) => {
      if (plant) await tx.query({ name: '', text: plant });
      const planted: Database = { ...db, query: tx.query, transaction: (work) => work(tx) };
      const own = { db: planted, clock: systemClock, showProgress() {} };
      results = await runChecks({ ...busy.config, ...own, ...needs });
      throw new Undo();
    });
    await assert.rejects(examined, Undo);
    await db.close();
    return results;
  }
  const fill = (text: string) =>
    text.replace(/{([a-z]+)}/g, (_, name: keyof BusyDeployment['ids']) => busy.ids[name]);

  it('finds nothing wrong', async () => {
    const results = await examine();
    assert.deepEqual(
      results.filter(({ ok }) => !ok),
      [],
    );
    const told = results.map(({ message }) => message).join('\n');
    assert.match(told, /^1[0-9] payment requests agree/m);
  });

  it('warns of a newer schema that works with this version', async () => {
    const results = await examine(`
      INSERT INTO schema_migrations (name, run_on) VALUES ('9999-later', now());
      INSERT INTO schema_compatibility (schema, works_with) VALUES (9999, 14)`);
    assert.deepEqual(
      results.filter(({ ok }) => !ok),
      [],
    );
    const schema = results.find(({ name }) => name === 'schema');
    assert.equal(schema?.warning, true);
    assert.match(schema?.message ?? '', /newer than this version, which works .* 9999-later/);
  });

  it('takes no event of a refund or of returned money for a payment’s', async () => {
    const results = await examine(
      fill(`INSERT INTO webhook_events (id, merchant_id, payment_request_id, sequence, event_type,
          body, created_at, owed_deliveries)
        SELECT gen_random_uuid(), merchant_id, id, 900 + n, t.kind, '{}', created_at, 0
        FROM payment_requests, unnest(ARRAY['REFUND-COMPLETED', 'PAYMENT-RETURNED',
          'REFUND-FAILED']) WITH ORDINALITY AS t (kind, n) WHERE id = '{paid}'`),
    );
    const outbox = results.find(({ name }) => name === 'outbox');
    assert.equal(outbox?.ok, true, outbox?.message);
  });

  const OLD_MONEY = {
    'the bank has booked it then': `
      INSERT INTO creditor_account_keys SELECT 'DE89370400440532013000', id FROM merchants LIMIT 1;
      INSERT INTO bank_movements (id, account, direction, amount_cents, currency, booked_at,
          network_reference, institution, is_confirmed, outcome, reported_at)
        SELECT gen_random_uuid(), 'DE89370400440532013000', 'CREDIT', amount_cents, 'CAD',
          payment_completed_at, payment_network_reference, 'Bank', true, 'EXACT', now()
        FROM payment_requests WHERE id = '{paid}'`,
    'an operator has assigned it': `${UNGUARDED}
      UPDATE ledger_entries SET type = 'ASSIGNED' WHERE payment_request_id = '{paid}'`,
  };
  for (const [reason, plant] of Object.entries(OLD_MONEY)) {
    it(`takes money for right that is older than its payment request, if ${reason}`, async () => {
      const old = `UPDATE payment_requests SET
        payment_completed_at = created_at - interval '30 days' WHERE id = '{paid}'`;
      const results = await examine(fill(`${old}; ${plant}`));
      assert.deepEqual(
        results.filter(({ ok }) => !ok),
        [],
      );
    });
  }

  it('warns of refunds above the money that has arrived', async () => {
    const results = await examine(
      fill(`${REFUND}; ${REFUND_ENTRY};
        INSERT INTO ledger_entries (id, merchant_id, type, amount_cents, currency,
          payment_request_id, network_reference)
        SELECT gen_random_uuid(), merchant_id, 'RETURN', -1, 'CAD', id, 'back'
        FROM payment_requests WHERE id = '{paid}';
        UPDATE payment_requests SET returned_cents = 1 WHERE id = '{paid}'`),
    );
    const money = results.find(({ name }) => name === 'money');
    assert.deepEqual(money, {
      ...{ name: 'money', ok: true, warning: true },
      message: `More was given back than has arrived; see payreq cases list: ${busy.ids.paid}.`,
    });
    assert.deepEqual(
      results.filter(({ ok }) => !ok),
      [],
    );
  });

  const STATEMENT_WARNINGS: readonly (readonly [string, string, RegExp])[] = [
    ['a statement is missing', `day * 100 + day`, /2026-03-03 \(account …3000\) does not begin/],
    ['entries do not add up', '99 + day * 100', /2026-03-03 .*do not lead to its closing balance/],
  ];
  it('finds statements that follow each other', async () => {
    const statements = (await examine(STATEMENTS)).find(({ name }) => name === 'statements');
    assert.equal(statements?.message, 'The statements of the bank follow each other.');
  });
  for (const [title, opening, says] of STATEMENT_WARNINGS) {
    it(`warns that ${title}`, async () => {
      const plant = STATEMENTS.replace(', day * 100, day', `, ${opening}, day`);
      const shifted = title.includes('missing')
        ? plant.replace('day * 100 + 100, 100', 'day * 100 + day + 100, 100')
        : plant;
      const statements = (await examine(shifted)).find(({ name }) => name === 'statements');
      assert.equal(statements?.warning, true, statements?.message);
      assert.match(statements?.message ?? '', says);
    });
  }

  it('warns of files whose entries count in part, for 30 days', async () => {
    for (const [days, isTold] of [
      [29, true],
      [31, false],
    ] as const) {
      const plant = `${STATEMENTS}; UPDATE bank_files SET withheld = '{DE02120300000000202051}',
        received_at = service_now() - interval '${days} days'`;
      const statements = (await examine(plant)).find(({ name }) => name === 'statements');
      assert.equal(statements?.ok, true, statements?.message);
      const says = /Bank file 00000000-[0-9a-f-]+: Entries of account …2051 do not count/;
      assert.equal(says.test(statements?.message ?? ''), isTold, statements?.message);
    }
  });

  it('warns of a connection that no process looks at any more', async () => {
    const plant = `${STATEMENTS}; INSERT INTO bank_connections (number, due_at, round_at)
      VALUES (2, service_now() - interval '3 days', '2026-01-01T10:00:00Z')`;
    const statements = (await examine(plant)).find(({ name }) => name === 'statements');
    assert.equal(statements?.ok, true, statements?.message);
    assert.equal(statements?.warning, true);
    const sentence =
      /^No process has looked at bank connection 2 since 2026-01-01T10:00Z: its settings/;
    assert.match(statements?.message ?? '', sentence);
  });

  it('finds that no statement has come for two working days', async () => {
    for (const [days, isLate] of [
      [1, false],
      // Easter and Christmas take four days of a week.
      [14, true],
    ] as const) {
      const statements = (
        await examine(
          `${STATEMENTS}; ${SHOWN_ACCOUNT};
           UPDATE bank_files SET received_at = service_now() - interval '${days} days';
           UPDATE bank_statements SET day = day - '2026-03-03'::date + service_now()::date - ${days}`,
        )
      ).find(({ name }) => name === 'statements');
      assert.equal(/No statement has come/.test(statements?.message ?? ''), isLate);
      assert.equal(statements?.ok, !isLate, statements?.message);
    }
  });

  for (const { fault, found, isWarning, says, plant, needs } of [...FAULTS, ...ACCOUNTING_FAULTS]) {
    it(`finds that ${fault}`, async () => {
      const results = await examine(plant && fill(plant), needs);
      const faults = results.filter(({ ok }) => !ok);
      assert.deepEqual(
        faults.map(({ name }) => name).sort(),
        isWarning ? [] : [...found].sort(),
        JSON.stringify(faults, null, 2),
      );
      const told = isWarning ? results.filter(({ name }) => found.includes(name)) : faults;
      assert.equal(
        told.every(({ ok }) => ok === (isWarning ?? false)),
        true,
      );
      const said = told.map(({ message }) => message).join('\n');
      assert.match(said, new RegExp(fill(says.source), says.flags));
    });
  }
});
