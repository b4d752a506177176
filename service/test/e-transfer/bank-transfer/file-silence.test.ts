import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setAccount } from '#merchants/accounts/set-account.ts';
import { runCli } from '../../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { eventually } from '../../support/eventually.ts';
import { sampleOf } from '../../support/metric-samples.ts';
import { createPayer } from '../../support/payment-requests/payer.ts';

const DAY_SECONDS = 86_400;
const OTHER_IBAN = 'AT611904300234573201';
const QR_IBAN = 'CH4431999123000889012';
const ORDINARY_IBAN = 'CH9300762011623852957';
/** printf %s IBAN | sha256sum | cut -c1-12 */
const KEYS = { [HARBOUR_IBAN]: 'faf7e1c01073', [OTHER_IBAN]: '0669f8f5825f' } as const;

describe('the silence of an account', () => {
  let bank: BankProduction;
  let otherId: string;
  before(async () => {
    // A Monday.
    bank = await startBankProduction({ start: new Date('2026-03-02T12:00:00.000Z') });
  });
  after(() => bank.stop());

  async function readiness(): Promise<readonly string[]> {
    const answer = await fetch(`${bank.service.opsUrl}/health/ready`);
    return ((await answer.json()) as { warnings?: string[] }).warnings ?? [];
  }
  const untilReadiness = (says: RegExp | null) =>
    eventually(async () => {
      const [warning, ...rest] = await readiness();
      return rest.length === 0 && (says ? says.test(warning ?? '') : warning === undefined);
    }, `readiness with ${says}`);
  async function gaugeOf(iban: keyof typeof KEYS, unit: 'seconds' | 'working_days') {
    // The gauges are read again after 5 s.
    await bank.service.advance(5);
    const text = await (await fetch(`${bank.service.opsUrl}/metrics`)).text();
    return sampleOf(text, `bank_last_statement_${unit}{account="${KEYS[iban]}"}`);
  }
  async function doctor(name: string) {
    const ran = await runCli(['doctor', '--json'], bank.service.env);
    const { checks } = ran.json();
    const { ok, message } = checks.find((each: { name: string }) => each.name === name);
    return { ok, message, exitCode: ran.exitCode };
  }
  async function reconcile(day: string) {
    const ran = await runCli(['bank', 'reconcile', '--day', day, '--json'], bank.service.env);
    return { exitCode: ran.exitCode, faults: ran.json().faults };
  }
  const send = (iban: string, date: string, more: object = {}) =>
    bank.deliver(writeStatement({ iban, date, ...more }));
  const missing = (iban: string) => `No camt.053 of ${iban} has come for this working day.`;

  it('begins when a payer sees the account, and is heard after two working days', async () => {
    const { service } = bank;
    await service.advance(7 * DAY_SECONDS);
    assert.deepEqual(await readiness(), []);
    assert.equal(await gaugeOf(HARBOUR_IBAN, 'seconds'), undefined);
    assert.deepEqual(await reconcile('2026-03-06'), { exitCode: 0, faults: [] });

    await bank.show();
    const other = await service.createMerchant({ name: 'Other Shop' });
    otherId = other.merchantId;
    await changeAccount(OTHER_IBAN);
    const { headers } = other;
    const payer = { name: 'Ada', email: 'ada@example.com' };
    const body = { amount: 100, type: 'ECOMM', payer };
    const { json } = await service.call('POST', '/v1/payment-requests', { headers, body });
    await createPayer(service).open(json.paymentLink);
    // Monday to Wednesday: only Tuesday has passed as a whole.
    await service.advance(2 * DAY_SECONDS);
    assert.deepEqual(await readiness(), []);
    assert.equal(await gaugeOf(HARBOUR_IBAN, 'working_days'), 1);
    assert.equal((await doctor('statements')).ok, true);

    await service.advance(DAY_SECONDS);
    await untilReadiness(/No bank statement has come for two working days, .*…3201.*…3000/);
    assert.ok(
      service.logLines.some(({ msg }) => msg === 'bank statements: no file for two working days'),
    );
    assert.equal(await gaugeOf(HARBOUR_IBAN, 'working_days'), 2);
    assert.ok(((await gaugeOf(OTHER_IBAN, 'seconds')) ?? 0) > 3 * DAY_SECONDS);
    const { ok, message, exitCode } = await doctor('statements');
    assert.deepEqual([ok, exitCode], [false, 1], message);
    assert.match(message, /of account …3201 \(\w{12}\) for 2 working days, …3000 /);
    const { faults } = await reconcile('2026-03-11');
    assert.deepEqual(faults, [missing(OTHER_IBAN), missing(HARBOUR_IBAN)]);
  });

  function changeAccount(iban: string) {
    const { clock, database } = bank.service;
    const deps = { db: database.db, clock, actor: 'test' };
    return setAccount(deps, otherId, { holder: 'Other Shop', iban, bic: null });
  }

  it('is not hidden by the file of another account, nor by a pain.002', async () => {
    await send(HARBOUR_IBAN, '2026-03-11');
    await bank.service.database.sql(
      `INSERT INTO bank_files (id, sha256, size_bytes, state, kind)
       VALUES (gen_random_uuid(), sha256('x'), 1, 'COMPLETE', 'pain.002')`,
    );
    // A statement of a former month is no sign of life, however late it comes.
    await send(OTHER_IBAN, '2026-02-11');
    await bank.service.advance(600);
    await untilReadiness(/of account …3201 \(\w{12}\): payments/);
    assert.equal(await gaugeOf(HARBOUR_IBAN, 'working_days'), 0);
    assert.equal(await gaugeOf(OTHER_IBAN, 'working_days'), 18);
    assert.match((await doctor('statements')).message, /of account …3201 /);
    const day = { exitCode: 1, faults: [missing(OTHER_IBAN)] };
    assert.deepEqual(await reconcile('2026-03-11'), day);

    await send(OTHER_IBAN, '2026-03-11');
    await bank.service.advance(600);
    await untilReadiness(null);
    assert.equal((await doctor('statements')).ok, true);
    assert.deepEqual(await reconcile('2026-03-11'), { exitCode: 0, faults: [] });
  });

  it('needs no statement of a weekend, nor of a day that is not over', async () => {
    await bank.service.advance(4 * DAY_SECONDS);
    assert.deepEqual(await reconcile('2026-03-14'), { exitCode: 0, faults: [] });
    assert.deepEqual(await reconcile('2026-03-16'), { exitCode: 0, faults: [] });
    assert.equal((await reconcile('2026-03-13')).exitCode, 1);
  });

  it('is followed by money that waits for the statement of its day', async () => {
    const { reference } = await bank.show();
    const entries = [{ amountCents: 4_000, reference }];
    const early = { iban: HARBOUR_IBAN, date: '2026-03-16', entries };
    await bank.deliver(writeStatement(early, { kind: 'camt.052' }));
    const waiting = async () => {
      await bank.service.advance(5);
      const text = await (await fetch(`${bank.service.opsUrl}/metrics`)).text();
      return sampleOf(text, 'bank_movement_waiting_seconds') ?? 0;
    };
    await bank.service.advance(3 * DAY_SECONDS - 60);
    assert.equal((await doctor('waiting money')).ok, true);
    await bank.service.advance(60);
    assert.ok((await waiting()) > 3 * DAY_SECONDS);
    const { ok, message, exitCode } = await doctor('waiting money');
    assert.deepEqual([ok, exitCode], [false, 1]);
    assert.match(message, /account …3000 has waited for 3 days for the statement of 2026-03-16/);
    await send(HARBOUR_IBAN, '2026-03-16', { entries });
    assert.equal(await waiting(), 0);
    assert.equal((await doctor('waiting money')).ok, true);
  });

  it('ends for a former account when nobody can pay to it any more', async () => {
    const { service } = bank;
    await changeAccount('AT483200000012345864');
    await service.advance(2 * DAY_SECONDS);
    assert.ok(((await gaugeOf(OTHER_IBAN, 'working_days')) ?? 0) > 2, 'a payer may still pay');
    // The payment request expired on 16 March; a transfer takes ten days at most.
    await service.advance(6 * DAY_SECONDS);
    assert.equal(await gaugeOf(OTHER_IBAN, 'working_days'), Number.NaN);
    assert.doesNotMatch((await doctor('statements')).message, /3201/);
  });
});

describe('the silence of a QR-IBAN', () => {
  let bank: BankProduction;
  before(async () => {
    // A Thursday; in Britain the Monday behind it is a bank holiday.
    const start = new Date('2026-08-27T12:00:00.000Z');
    bank = await startBankProduction({
      start,
      settings: { CURRENCY: 'CHF', BANK_CALENDAR: 'GB' },
    });
    await bank.setAccount(QR_IBAN);
  });
  after(() => bank.stop());

  const reconcile = (day: string) => runCli(['bank', 'reconcile', '--day', day], bank.service.env);

  it('ends with a statement of its ordinary IBAN, also on a day without an entry', async () => {
    const { reference } = await bank.show();
    const statement = { iban: ORDINARY_IBAN, currency: 'CHF' };
    await bank.service.advance(DAY_SECONDS);
    assert.match((await reconcile('2026-08-27')).stdout, new RegExp(`No camt.053 of ${QR_IBAN}`));
    const entry = { amountCents: 4_000, reference, entryReference: QR_IBAN, bankReference: 'B-1' };
    await bank.deliver(writeStatement({ ...statement, date: '2026-08-27', entries: [entry] }));
    await bank.service.advance(DAY_SECONDS);
    const quiet = await bank.deliver(writeStatement({ ...statement, date: '2026-08-28' }));
    assert.equal(quiet.state, 'COMPLETE', String(quiet.reason));
    for (const day of ['2026-08-27', '2026-08-28']) {
      assert.equal((await reconcile(day)).exitCode, 0, day);
    }
  });

  it('counts working days by BANK_CALENDAR', async () => {
    await bank.service.advance(4 * DAY_SECONDS);
    assert.equal((await reconcile('2026-08-31')).exitCode, 0);
    assert.equal((await reconcile('2026-09-01')).exitCode, 1);
    const doctor = await runCli(['doctor', '--json'], bank.service.env);
    const { checks } = doctor.json();
    const { ok } = checks.find(({ name }: { name: string }) => name === 'statements');
    assert.equal(ok, true, 'Tuesday alone has passed as a whole');
  });
});
