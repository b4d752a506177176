import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../support/bank/bank-production.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import { createPaid, refundCalls } from '../support/refunds/refund-calls.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

const PAYER_IBAN = 'FR1420041010050500013M02606';

describe('payreq restore-check on a bank', () => {
  let bank: BankProduction;
  let folder: string;
  let restored: TestDatabase;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'refund-files-'));
    bank = await startBankProduction();
  });
  after(async () => {
    await restored?.drop();
    await bank?.stop();
    rmSync(folder, { recursive: true });
  });

  const run = (database: Pick<TestDatabase, 'url'>, ...args: string[]) =>
    runCli(args, {
      ...bank.service.env,
      DATABASE_URL: database.url,
      BANK_REFUNDS_DIR: folder,
    });
  const filesOf = () => readdirSync(folder).filter((name) => name.endsWith('.xml'));

  async function queueRefund(paymentRequestId: string, amount: number): Promise<string> {
    const { json } = await refundCalls(bank, bank.merchant).created(paymentRequestId, { amount });
    await bank.service.advance(0);
    await eventually(async () => {
      const found = await bank.service.database.sql(
        'SELECT FROM bank_refunds WHERE refund_id = $1',
        [json.id],
      );
      return found.length > 0;
    }, 'the queue of refunds');
    return json.id;
  }

  it('lets no refund leave twice that left after the restored moment', async () => {
    const { id, reference } = await bank.show();
    const paid = {
      amountCents: 100_00,
      reference,
      debtorIban: PAYER_IBAN,
      debtorName: 'Ada',
      bankReference: 'IN-1',
    };
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, date: '2026-03-01', entries: [paid] }));
    const known = await queueRefund(id, 30);
    restored = await bank.service.database.clone();
    const unknown = await queueRefund(id, 20);
    const left = await run(bank.service.database, 'bank', 'refunds', '--json');
    assert.equal(left.exitCode, 0, left.stderr);
    const [file] = left.json();
    assert.deepEqual([filesOf().length, file.refunds], [1, 2]);

    const held = await run(restored, 'bank', 'refunds');
    assert.equal(held.exitCode, 1);
    assert.match(held.stderr, /restored to an earlier moment, and refunds are held/);
    const early = await run(restored, 'restore-check', '--release', '--yes');
    assert.match(early.stderr, /Refunds stand in files that left/);
    const planned = await run(restored, 'restore-check', '--dry-run', '--json');
    assert.equal(planned.json().cases.length, 0, 'a rehearsal changes nothing');

    const checked = await run(restored, 'restore-check', '--json');
    assert.equal(checked.exitCode, 1, checked.stderr);
    const findings = checked.json();
    assert.deepEqual(
      [findings.refundsHeld, findings.noticedBy, findings.network],
      [true, 'REFUND_FOLDER', null],
    );
    assert.deepEqual(findings.statements, [{ accountEnd: '3000', lastDay: '2026-03-01' }]);
    const [{ messageId, writtenAt: _, ...refunds }] = findings.refundFiles;
    assert.equal(messageId, file.messageId);
    assert.deepEqual(refunds, {
      known: [{ id: known, paymentRequestId: id, amount: '30.00' }],
      unknown: [{ id: unknown, paymentRequestId: id, amount: '20.00' }],
    });
    assert.deepEqual(await restored.sql('SELECT state, message_id FROM bank_refunds'), [
      { state: 'SENT', message_id: file.messageId },
    ]);

    const refused = await run(restored, 'restore-check', '--release', '--yes');
    const [openCase] = findings.cases;
    assert.match(refused.stderr, new RegExp(`settle ${openCase} first`));
    const accepted = await run(restored, 'cases', 'accept', openCase);
    assert.equal(accepted.exitCode, 0, accepted.stderr);
    const [sums] = await restored.sql(
      `SELECT refunded_cents::int + refunding_cents::int AS "goneCents" FROM payment_requests`,
    );
    assert.deepEqual(sums, { goneCents: 50_00 });

    const released = await run(restored, 'restore-check', '--release', '--yes');
    assert.equal(released.exitCode, 0, released.stderr);
    const after = await run(restored, 'bank', 'refunds', '--json');
    assert.deepEqual([after.exitCode, after.json()], [0, []], after.stderr);
    assert.equal(filesOf().length, 1, 'no second file');
    assert.equal((await run(restored, 'restore-check', '--dry-run')).exitCode, 0);
    const acts = await restored.sql(
      `SELECT action FROM audit_log WHERE action LIKE 'RESTORE%' ORDER BY position`,
    );
    assert.deepEqual(acts, [{ action: 'RESTORE_RELEASED' }]);
  });
});

describe('payreq restore-check', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let restored: TestDatabase | null;
  beforeEach(async () => {
    restored = null;
    service = await startTestService();
    merchant = await service.createMerchant();
  });
  afterEach(async () => {
    await service.stop();
    await restored?.drop();
  });
  const run = (...args: string[]) => runCli(args, service.env);

  it('holds refunds until they are released, and says so in the doctor', async () => {
    const calls = refundCalls(service, merchant);
    const paid = await createPaid(service, merchant);
    const first = await run('restore-check');
    assert.equal(first.exitCode, 1, first.stderr);
    assert.match(first.stdout, /^The database ends at /);
    assert.match(first.stdout, /REFUNDS ARE HELD/);
    await calls.created(paid, { amount: 1 });
    const afterMove = async () => {
      await service.advance(31_000);
      const [refund] = await service.database.sql<{ status: string; polls: number }>(
        'SELECT status, polls FROM refunds',
      );
      assert.ok(refund);
      return refund;
    };
    // The loop has claimed it several times: it would have gone at the first.
    await eventually(async () => {
      const { status, polls } = await afterMove();
      assert.equal(status, 'CREATED');
      return polls > 2;
    }, 'the claims of a held refund');
    const doctor = (await run('doctor', '--json')).json();
    const check = doctor.checks.find(({ name }: { name: string }) => name === 'restore');
    assert.equal(check.warning, true);
    assert.match(check.message, /refunds are held/);
    assert.equal((await run('restore-check', '--release')).exitCode, 2, 'needs --yes');
    assert.equal((await run('restore-check', '--release', '--yes')).exitCode, 0);
    await eventually(async () => (await afterMove()).status === 'COMPLETED', 'the refund');
    const again = await run('restore-check', '--release', '--yes');
    assert.match(again.stderr, /No restore holds refunds/);
  });

  it('lists the webhooks that will be sent again', async () => {
    await service.stop();
    service = await startTestService({ roles: ['api'] });
    merchant = await service.createMerchant();
    const requests = paymentRequestCalls(service, merchant);
    const { json } = await requests.create({ webhookUrl: 'https://shop.example/webhooks' });
    const cancelled = await requests.cancel(json.id);
    assert.equal(cancelled.status, 200, cancelled.text);
    const [event] = await service.database.sql<{ id: string }>('SELECT id FROM webhook_events');
    const { webhooks } = (await run('restore-check', '--json')).json();
    assert.equal(webhooks.count, 1);
    assert.equal(webhooks.data[0].eventId, event?.id);
    assert.equal(webhooks.data[0].paymentRequestId, json.id);
  });

  it('lists later acts from an export of the audit log, and refuses another file', async () => {
    restored = await service.database.clone();
    const { merchantId } = await service.createMerchant({ name: 'Birch Books' });
    const exported = await run('audit', 'export');
    const file = join(mkdtempSync(join(tmpdir(), 'audit-')), 'audit.jsonl');
    writeFileSync(file, exported.stdout);
    const check = (path: string) =>
      runCli(['restore-check', '--dry-run', '--json', '--audit-export', path], {
        ...service.env,
        DATABASE_URL: restored?.url ?? '',
      });
    const { audit } = (await check(file)).json();
    assert.equal(audit.lost.count, audit.lost.data.length);
    assert.ok(
      audit.lost.data.some(
        (act: { action: string; merchantId: string }) =>
          act.action === 'MERCHANT_CREATED' && act.merchantId === merchantId,
      ),
      JSON.stringify(audit),
    );
    const [first = ''] = exported.stdout.split('\n');
    writeFileSync(file, `${first}\n{"position":1}\n`);
    assert.match((await check(file)).stderr, /Line 2 of .* is no entry of an audit log/);
    writeFileSync(file, exported.stdout.replaceAll(/"hash":"\w{4}/g, '"hash":"0000'));
    assert.match((await check(file)).stderr, /is the export of another audit log/);
    assert.match((await check('/nowhere')).stderr, /cannot be read \(ENOENT\)/);
  });

  it('lists later acts also after it has written to the restored audit log itself', async () => {
    restored = await service.database.clone();
    const head = (await run('audit', 'list', '--json')).json().entries[0].position;
    await service.createMerchant({ name: 'Birch Books' });
    const folder = mkdtempSync(join(tmpdir(), 'audit-'));
    const lostOf = async (name: string, ...after: string[]) => {
      const file = join(folder, name);
      writeFileSync(file, (await run('audit', 'export', ...after)).stdout);
      const checked = await runCli(['restore-check', '--json', '--audit-export', file], {
        ...service.env,
        DATABASE_URL: restored?.url ?? '',
      });
      assert.equal(checked.stderr, '');
      return checked.json().audit.lost.data.map((act: { action: string }) => act.action);
    };
    const whole = await lostOf('whole.jsonl');
    assert.ok(whole.includes('MERCHANT_CREATED'), whole.join());
    assert.deepEqual(await lostOf('whole.jsonl'), whole, 'again');
    assert.deepEqual(await lostOf('later.jsonl', '--after', `${head}`), whole);
  });
});
