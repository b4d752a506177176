import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { faultOfFolder } from '#e-transfer/bank-transfer/files/check-folder.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  putFile,
  startBankProduction,
  type TransferLink,
} from '../../support/bank/bank-production.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { writeZip } from '../../support/bank/write-zip.ts';
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

  it('keeps the bytes of a file that waits for a person for 13 months', async () => {
    const { sql } = bank.service.database;
    const waits = `(state = 'REFUSED' OR withheld IS NOT NULL)`;
    const parts = () =>
      sql(`SELECT FROM bank_file_parts p JOIN bank_files f ON f.id = p.file_id WHERE ${waits}`);
    const age = (months: number) =>
      sql(
        `UPDATE bank_files SET received_at = service_now() - make_interval(months => $1)
         WHERE ${waits}`,
        [months],
      );
    const part = writeStatement({ iban: HARBOUR_IBAN, entries: [] });
    await bank.deliver(part);
    await sql('UPDATE bank_files SET withheld = $2 WHERE sha256 = sha256($1)', [
      part,
      [HARBOUR_IBAN],
    ]);
    await age(12);
    // An imported file passes through the same loop: its look has pruned, too.
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries: [] }));
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries: [] }));
    assert.equal((await parts()).length, 2);
    await age(14);
    await eventually(async () => {
      await bank.service.advance(0);
      return (await parts()).length === 0;
    }, 'the bytes are gone');
    const [file] = await sql<{ reason: string }>(
      `SELECT reason FROM bank_files WHERE state = 'REFUSED'`,
    );
    assert.match(file?.reason ?? '', /lies ahead/, 'the reason stays for ever');
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

  /** A payment request, and a statement that pays it. */
  async function payment() {
    const { id, reference } = await bank.show();
    const entries = [{ amountCents: 10_000, reference }];
    return { id, bytes: writeStatement({ iban: HARBOUR_IBAN, entries }) };
  }

  it('opens zip and gzip, and a statement counts once with or without its archive', async () => {
    const [one, two, three] = [await payment(), await payment(), await payment()];
    const payments = (await bank.ledger()).length;
    const folder = { bytes: Buffer.alloc(0), name: 'statements/' };
    const zip = writeZip([
      folder,
      { bytes: one.bytes, name: 'statements/one.xml', flags: 8 },
      { bytes: two.bytes, method: 0, isZip64: true },
    ]);
    for (const bytes of [zip, one.bytes, gzipSync(one.bytes), zip, gzipSync(three.bytes)]) {
      assert.deepEqual(await bank.deliver(bytes), { state: 'COMPLETE', reason: null });
    }
    for (const { id } of [one, two, three]) assert.equal(await bank.statusOf(id), 'PAID');
    assert.equal((await bank.ledger()).length, payments + 3);
  });

  it('takes the other files of an archive that has a refused one', async () => {
    const { id, bytes } = await payment();
    const { state, reason } = await bank.deliver(
      writeZip([{ bytes: Buffer.from('No statement.') }, { bytes }]),
    );
    assert.equal(state, 'REFUSED');
    assert.match(reason ?? '', /^File 1 of the archive: /);
    await eventually(async () => (await bank.statusOf(id)) === 'PAID', 'the other file counts');
  });

  const xml = Buffer.from('<Document/>');
  const packed = gzipSync(Buffer.alloc(5_000, 'statement'));
  const TOO_LARGE = /^The archive unpacks to more than 25 MB, or to more than 100 times its size\./;
  const archives: readonly (readonly [name: string, bytes: Buffer, reason: RegExp])[] = [
    ['gzip that unpacks 1,000 times', gzipSync(Buffer.alloc(5_000_000)), TOO_LARGE],
    ['zip that unpacks 1,000 times', writeZip([{ bytes: Buffer.alloc(5_000_000) }]), TOO_LARGE],
    [
      'zip of files that only together unpack to too much',
      writeZip(Array(3).fill({ bytes: Buffer.alloc(30_000) })),
      TOO_LARGE,
    ],
    ['claimed size above 25 MB', writeZip([{ bytes: xml, claimed: 26_214_401 }]), TOO_LARGE],
    [
      'size that the bytes exceed',
      writeZip([{ bytes: Buffer.alloc(90_000), claimed: 9 }]),
      /damaged/,
    ],
    ['size that the bytes do not reach', writeZip([{ bytes: xml, claimed: 99 }]), /damaged/],
    ['101 entries', writeZip(Array(101).fill({ bytes: xml })), /more than 100 entries/],
    ['zip in a zip', writeZip([{ bytes: writeZip([{ bytes: xml }]) }]), /holds another archive/],
    ['gzip in a gzip', gzipSync(packed), /holds another archive/],
    ['path upwards', writeZip([{ bytes: xml, name: '../../etc/cron.d/x' }]), /path as its name/],
    ['absolute path', writeZip([{ bytes: xml, name: '/etc/passwd' }]), /path as its name/],
    ['path of Windows', writeZip([{ bytes: xml, name: '..\\x.xml' }]), /path as its name/],
    ['encrypted zip', writeZip([{ bytes: xml, flags: 1 }]), /^The archive is encrypted/],
    ['strongly encrypted zip', writeZip([{ bytes: xml, flags: 0x41 }]), /is encrypted/],
    ['other method', writeZip([{ bytes: xml, method: 12 }]), /method that is not read/],
    ['wrong checksum', writeZip([{ bytes: xml, crc: 1 }]), /^The archive is cut off or damaged/],
    ['half of a zip', writeZip([{ bytes: randomBytes(999) }]).subarray(0, 600), /cut off/],
    ['half of a gzip', packed.subarray(0, packed.length >> 1), /cut off/],
    [
      'gzip with a wrong checksum',
      Buffer.concat([packed.subarray(0, -8), Buffer.alloc(4), packed.subarray(-4)]),
      /damaged/,
    ],
    ['empty zip', writeZip([]), /holds no file/],
    ['zip of empty folders', writeZip([{ bytes: xml.subarray(0, 0), name: 'a/' }]), /no file/],
  ];
  for (const [name, bytes, expected] of archives) {
    it(`refuses an archive: ${name}`, async () => {
      const { state, reason } = await bank.deliver(bytes);
      assert.equal(state, 'REFUSED');
      assert.match(reason ?? '', expected);
    });
  }
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
