import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { faultOfFolder } from '#e-transfer/bank-transfer/files/check-folder.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  putFile,
  startBankProduction,
  type TransferLink,
} from '../../support/bank/bank-production.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestService, type TestService } from '../../support/service/service.ts';

const LARGE_BYTES = 26 * 1024 * 1024;
const DEBTOR = 'Zebedee Quill';

const refusals = ({ logLines }: TestService) =>
  logLines.filter(({ msg }) => msg === 'bank file refused');

async function refusedAlerts({ opsUrl }: TestService): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/bank_alerts_total\{[^}]*alert="FILE_REFUSED"[^}]*\} (\d+)/.exec(text)?.[1]);
}

describe('the folder of bank files', () => {
  let bank: BankProduction;
  let second: TestService;
  /** A second service of the same deployment, on the same folder. */
  const startSecond = () => {
    const { database, env } = bank.service;
    const kept = { ...database, drop: async () => {} };
    return startTestService({
      environment: 'production',
      start: bank.service.clock.now(),
      database: kept,
      settings: env,
    });
  };
  before(async () => {
    bank = await startBankProduction();
    second = await startSecond();
  });
  after(async () => {
    await second?.stop();
    await bank?.stop();
  });

  it('is shared by two services, and each payment request is paid once', async () => {
    const links: TransferLink[] = [];
    for (let n = 0; n < 6; n += 1) links.push(await bank.show());
    for (const { reference } of links) {
      const entries = [{ amountCents: 10_000, reference }];
      await putFile(bank.folder, writeStatement({ iban: HARBOUR_IBAN, entries }));
    }
    await eventually(async () => {
      await Promise.all([bank.service.advance(0), second.advance(0)]);
      const left = readdirSync(bank.folder).length;
      const statuses = await Promise.all(links.map(({ id }) => bank.statusOf(id)));
      return left === 0 && statuses.every((status) => status === 'PAID');
    }, 'every payment request PAID');
    assert.deepEqual(
      await bank.ledger(),
      links.map(() => 'PAYMENT 100.00'),
    );
    assert.deepEqual(await bank.openCases(), []);
  });

  it('can hold one file under two names, whose money counts once', async () => {
    const { id, reference } = await bank.show();
    const entries = [{ amountCents: 10_000, reference }];
    const bytes = writeStatement({ iban: HARBOUR_IBAN, entries });
    const before = (await bank.ledger()).length;
    await putFile(bank.folder, bytes, 'one.xml');
    await putFile(bank.folder, bytes, 'two.xml');
    await eventually(async () => {
      await bank.service.advance(0);
      return readdirSync(bank.folder).length === 0 && (await bank.statusOf(id)) === 'PAID';
    }, 'both files gone');
    assert.equal((await bank.ledger()).length, before + 1);
    assert.deepEqual(await bank.openCases(), []);
  });

  it('raises an alert for a refused file, without its contents', async () => {
    await second.stop();
    const before = await refusedAlerts(bank.service);
    const { id, reference } = await bank.show();
    const entries = [
      { amountCents: 10_000, reference, debtorName: DEBTOR },
      { amountCents: 10_000, reference, date: '2026-03-09' },
    ];
    const { state } = await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries }));
    assert.equal(state, 'REFUSED');
    assert.notEqual(await bank.statusOf(id), 'PAID');
    assert.equal(await refusedAlerts(bank.service), before + 1);
    const [line, ...more] = refusals(bank.service);
    assert.deepEqual(more, []);
    assert.equal(line?.level, 'error');
    assert.match(String(line?.reason), /^Line \d+: Ntry has a BookgDt that lies ahead/);
    const text = JSON.stringify(bank.service.logLines);
    for (const secret of [DEBTOR, HARBOUR_IBAN, reference, 'statement-']) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  it('keeps the bytes of a refused file for 13 months, and its reason for ever', async () => {
    const { sql } = bank.service.database;
    const parts = () =>
      sql(`SELECT FROM bank_file_parts p JOIN bank_files f ON f.id = p.file_id
           WHERE f.state = 'REFUSED'`);
    const age = (months: number) =>
      sql(
        `UPDATE bank_files SET received_at = service_now() - make_interval(months => $1)
         WHERE state = 'REFUSED'`,
        [months],
      );
    await age(12);
    // An imported file passes through the same loop: its look has pruned, too.
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries: [] }));
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries: [] }));
    assert.equal((await parts()).length, 1);
    await age(14);
    await eventually(async () => {
      await bank.service.advance(0);
      return (await parts()).length === 0;
    }, 'the bytes are gone');
    const [file] = await sql<{ reason: string }>(
      `SELECT reason FROM bank_files WHERE state = 'REFUSED'`,
    );
    assert.match(file?.reason ?? '', /lies ahead/);
  });

  it('sets a file above 25 MB aside, with one alert over all starts', async () => {
    const before = await refusedAlerts(bank.service);
    await putFile(bank.folder, Buffer.alloc(LARGE_BYTES, 'a'), 'one.xml');
    await putFile(bank.folder, Buffer.alloc(LARGE_BYTES, 'b'), 'two.xml');
    const large = `SELECT id, state, reason FROM bank_files WHERE size_bytes = ${LARGE_BYTES}`;
    const { sql } = bank.service.database;
    const found = await eventually(async () => {
      await bank.service.advance(6);
      const rows = await sql<{ id: string; state: string; reason: string }>(large);
      const names = readdirSync(bank.folder).sort();
      return rows.length === 2 && names.every((name) => name.startsWith('.refused-'))
        ? { rows, names }
        : undefined;
    }, 'both files set aside');
    for (const { state, reason } of found.rows) {
      assert.deepEqual([state, reason], ['REFUSED', 'The file is above 25 MB.']);
    }
    assert.deepEqual(found.names, found.rows.map(({ id }) => `.refused-${id}`).sort());
    assert.equal(await refusedAlerts(bank.service), before + 2);
    second = await startSecond();
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries: [] }));
    await eventually(async () => {
      await second.advance(6);
      return (await refusedAlerts(second)) === 0;
    });
    assert.deepEqual(refusals(second), []);
    assert.equal(await refusedAlerts(bank.service), before + 2);
  });
});

describe('a start on a folder of bank files', () => {
  it('is refused where others can read it or a group can write to it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bank-files-'));
    try {
      const settings = {
        E_TRANSFER_NETWORK: 'bank-transfer',
        CURRENCY: 'EUR',
        BANK_FILES_DIR: folder,
      };
      chmodSync(folder, 0o755);
      await assert.rejects(
        startTestService({ environment: 'production', settings }),
        /BANK_FILES_DIR: .* has mode 0755\. Make it 0750 or stricter\./,
      );
      for (const mode of [0o770, 0o701, 0o720, 0o754]) {
        chmodSync(folder, mode);
        assert.match(faultOfFolder(folder) ?? '', /Make it 0750 or stricter/);
      }
      for (const mode of [0o750, 0o700]) {
        chmodSync(folder, mode);
        assert.equal(faultOfFolder(folder), null);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is refused where the folder is missing, no folder, or of another user', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bank-files-'));
    try {
      assert.match(faultOfFolder(join(folder, 'none')) ?? '', /cannot be read/);
      assert.match(faultOfFolder(import.meta.filename) ?? '', /is not a folder/);
      const isSuperuser = process.getuid?.() === 0;
      if (isSuperuser) chownSync(folder, 65_534, 65_534);
      assert.match(faultOfFolder(isSuperuser ? folder : '/') ?? '', /belongs to another user/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
