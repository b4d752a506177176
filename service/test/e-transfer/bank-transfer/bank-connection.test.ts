import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readConfig } from '#config.ts';
import { actOnFile } from '#e-transfer/bank-transfer/connection/act-on-file.ts';
import {
  claimRound,
  endRound,
  renewLease,
} from '#e-transfer/bank-transfer/connection/connection-store.ts';
import { type RoundDeps, runRound } from '#e-transfer/bank-transfer/connection/run-round.ts';
import { SftpFault } from '#e-transfer/bank-transfer/connection/sftp-fault.ts';
import { paymentFilesOf } from '../../commands/bank/payment-files.ts';
import { runCli } from '../../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
  type TransferLink,
} from '../../support/bank/bank-production.ts';
import {
  FOLDER_MODE,
  LINK_MODE,
  type SftpBank,
  startSftpBank,
} from '../../support/bank/sftp-bank.ts';
import { writeRejections } from '../../support/bank/write-rejections.ts';
import { writeStatement, writeStatementFile } from '../../support/bank/write-statement.ts';
import { writeZip } from '../../support/bank/write-zip.ts';
import { signIn } from '../../support/console/console-client.ts';
import { eventually } from '../../support/eventually.ts';

const EVERY_SECONDS = 301;
/** The time of a round that statements may take. */
const STATEMENTS_MS = 480_000;

/** Takes hold of the timers of this length, until the mocks end. @returns ends the latest one */
function holdTimer(name: 'setTimeout' | 'setInterval', heldMs: number): () => void {
  const real = globalThis[name] as (run: () => void, ms: number) => unknown;
  let pass = () => {};
  mock.method(globalThis, name, (run: () => void, ms: number) => {
    if (ms === heldMs) pass = run;
    return real(run, ms);
  });
  return () => pass();
}
const RENEWAL_MS = 20_000;
const OTHER_IBAN = 'DE02120300000000202051';
const SWISS_IBAN = 'CH9300762011623852957';
const QR_IBAN = 'CH4431999123000889012';
/** The two names of one account. */
const BRITISH = { iban: 'GB29NWBK60161331926819', scheme: 'GB:601613:31926819' };

interface Round {
  readonly fault: string | null;
  readonly reason: string | null;
  readonly files: number;
}

/** A second connection, which looks once a day, and removes what it has taken. */
const removing = ({ settings }: SftpBank) => ({
  BANK_SFTP_2_URL: settings.BANK_SFTP_URL ?? '',
  BANK_SFTP_2_KEY: settings.BANK_SFTP_KEY ?? '',
  BANK_SFTP_2_HOST_KEY: settings.BANK_SFTP_HOST_KEY ?? '',
  BANK_SFTP_2_STATEMENTS: '/daily/*.xml',
  BANK_SFTP_2_AFTER: 'delete',
  BANK_SFTP_2_EVERY: '1440',
});

/** A third connection, whose archives and reports have folders of their own. */
const moving = ({ settings }: SftpBank) => ({
  BANK_SFTP_3_URL: settings.BANK_SFTP_URL ?? '',
  BANK_SFTP_3_KEY: settings.BANK_SFTP_KEY ?? '',
  BANK_SFTP_3_HOST_KEY: settings.BANK_SFTP_HOST_KEY ?? '',
  BANK_SFTP_3_STATEMENTS: '/packed/*',
  BANK_SFTP_3_REPORTS: '/reports/*',
  BANK_SFTP_3_AFTER: 'move:/done',
  BANK_SFTP_3_EVERY: '1440',
});

/** A fourth connection, for another account, which removes what counts whole. */
const other = ({ settings }: SftpBank) => ({
  BANK_SFTP_4_URL: settings.BANK_SFTP_URL ?? '',
  BANK_SFTP_4_KEY: settings.BANK_SFTP_KEY ?? '',
  BANK_SFTP_4_HOST_KEY: settings.BANK_SFTP_HOST_KEY ?? '',
  BANK_SFTP_4_STATEMENTS: '/other/*',
  BANK_SFTP_4_ACCOUNTS: OTHER_IBAN,
  BANK_SFTP_4_AFTER: 'delete',
  BANK_SFTP_4_EVERY: '1440',
});

describe('an SFTP connection to a bank', () => {
  let remote: SftpBank;
  let bank: BankProduction;
  let refunds: string;
  before(async () => {
    remote = await startSftpBank();
    for (const folder of ['/out', '/in', '/daily', '/packed', '/reports', '/done', '/other']) {
      remote.put(folder, Buffer.alloc(0), FOLDER_MODE);
    }
    refunds = mkdtempSync(join(tmpdir(), 'payment-files-'));
    bank = await startBankProduction({
      settings: {
        ...remote.settings,
        BANK_REFUNDS_DIR: refunds,
        BANK_SFTP_PAYMENTS: '/in',
        BANK_SFTP_ACCOUNTS: `${HARBOUR_IBAN},${BRITISH.scheme}`,
        ...removing(remote),
        ...moving(remote),
        ...other(remote),
      },
    });
    await round();
    // The round of the start may have been the one that ended: the next one is under way then.
    const waiting = `SELECT FROM bank_connections
      WHERE number = 1 AND leased_by IS NULL AND due_at > service_now()`;
    await eventually(async () => (await bank.service.database.sql(waiting)).length === 1);
  });
  after(async () => {
    await bank?.stop();
    await remote?.stop();
    rmSync(refunds, { recursive: true, force: true });
  });
  afterEach(() => {
    remote.misdeed = () => undefined;
  });

  /** Lets the next round happen. */
  async function round(number = 1): Promise<Round> {
    const { sql } = bank.service.database;
    const ask = `SELECT fault, reason, files_there AS files, round_at AS "roundAt",
      leased_by IS NULL AS over FROM bank_connections WHERE number = ${number}`;
    const [before] = await sql<Round & { roundAt: Date | null }>(ask);
    await bank.service.advance(EVERY_SECONDS);
    return eventually(async () => {
      const [now] = await sql<Round & { roundAt: Date | null; over: boolean }>(ask);
      return now?.over && now.roundAt && now.roundAt.getTime() !== before?.roundAt?.getTime()
        ? now
        : undefined;
    }, 'a round');
  }

  async function tried(end: string) {
    const [row] = await bank.service.database.sql<{ verdict: string; reason: string | null }>(
      `SELECT verdict, reason FROM bank_connection_files WHERE name LIKE '%' || $1`,
      [end],
    );
    return row;
  }

  async function payment() {
    const { id, reference } = await bank.show();
    const entries = [{ amountCents: 10_000, reference }];
    return { id, bytes: writeStatement({ iban: HARBOUR_IBAN, entries }) };
  }

  it('takes a statement, and the payment request is PAID', async () => {
    const { id, bytes } = await payment();
    remote.put('/out/one.xml', bytes);
    const { fault, files } = await round();
    assert.equal(fault, null);
    assert.equal(files, 1);
    assert.equal(await bank.statusOf(id), 'PAID');
    remote.asked.length = 0;
    await round();
    assert.deepEqual(remote.asked, ['OPENDIR /out']);
  });

  interface World {
    readonly name: string;
    /** Prepares the server; the statement is at the path. */
    readonly make: (path: string, bytes: Buffer) => void;
    readonly misdeed?: (request: string) => ReturnType<SftpBank['misdeed']>;
    /** The verdict and its reason; left out: the name waits for the next round. */
    readonly verdict?: RegExp;
    /** Whether the payment counts when the server behaves again. */
    readonly isPaidLater?: boolean;
  }
  const worlds: readonly World[] = [
    {
      name: 'a file that the server lists and denies',
      make: (path, bytes) => remote.put(path, bytes),
      misdeed: (request) => (request === 'OPEN' ? 'PERMISSION_DENIED' : undefined),
      verdict: /^FAILED To read \/out: the server denies it\. Ask the bank for the right/,
      isPaidLater: true,
    },
    {
      name: 'a half file, which is never whole',
      make: (path, bytes) => remote.put(path, bytes.subarray(0, 900)),
      verdict: /^REFUSED Line \d+/,
    },
    {
      name: 'a link in the place of a file',
      make: (path, bytes) => remote.put(path, bytes, LINK_MODE),
      verdict: /^REFUSED It is a link or a folder/,
    },
    {
      name: 'a folder in the place of a file',
      make: (path) => remote.put(path, Buffer.alloc(0), FOLDER_MODE),
      verdict: /^REFUSED It is a link or a folder/,
    },
    {
      name: 'a file above 25 MB, which is not read',
      make: (path) => remote.put(path, Buffer.alloc(25 * 1024 * 1024 + 1)),
      verdict: /^REFUSED The file is above 25 MB/,
    },
    {
      name: 'a name that leads elsewhere',
      make: (path, bytes) => remote.put(path.replace('/out/', '/out/a/../'), bytes),
      verdict: /^REFUSED The name has characters of a path/,
    },
    {
      name: 'a name that writes over the line of a terminal',
      make: (path, bytes) => remote.put(path.replace('/out/', '/out/\u001b[2K'), bytes),
      verdict: /^REFUSED The name has characters of a path/,
    },
    {
      name: 'a name that turns the text of a page around',
      make: (path, bytes) => remote.put(path.replace('/out/', '/out/\u202e'), bytes),
      verdict: /^REFUSED The name has characters of a path/,
    },
    {
      name: 'a file whose attributes the server denies',
      make: (path, bytes) => remote.put(path, bytes),
      misdeed: (request) => (request === 'LSTAT' ? 'PERMISSION_DENIED' : undefined),
      verdict: /^FAILED To list \/out: the server denies it\. Ask the bank for the right/,
      isPaidLater: true,
    },
    {
      name: 'a file whose attributes the server cannot read',
      make: (path, bytes) => remote.put(path, bytes),
      misdeed: (request) => (request === 'LSTAT' ? 'FAILURE' : undefined),
      verdict: /^FAILED To list \/out: the server refuses it without a reason\. The bank corrects/,
      isPaidLater: true,
    },
  ];
  it(`bears ${worlds.map(({ name }) => name).join('; ')}`, async () => {
    const made: { id: string; path: string; world: World }[] = [];
    for (const [at, world] of worlds.entries()) {
      const { id, bytes } = await payment();
      const path = `/out/world-${at}.xml`;
      world.make(path, bytes);
      made.push({ id, path, world });
    }
    remote.misdeed = (request, path) =>
      made.find((each) => each.path === path)?.world.misdeed?.(request);
    assert.equal((await round()).reason, null);
    for (const [at, { id, world }] of made.entries()) {
      const row = await tried(`world-${at}.xml`);
      assert.match(`${row?.verdict} ${row?.reason}`, world.verdict ?? /x/, world.name);
      assert.notEqual(await bank.statusOf(id), 'PAID', world.name);
    }
    // The next day: all that failed is tried again.
    remote.misdeed = () => undefined;
    await bank.service.advance(86_400);
    await round();
    for (const { id, world } of made) {
      assert.equal((await bank.statusOf(id)) === 'PAID', world.isPaidLater ?? false, world.name);
    }
    for (const path of remote.files.keys()) if (path.includes('world-')) remote.files.delete(path);
  });

  it('refuses a name above 255 characters, and says so', async () => {
    const path = `/out/${'a'.repeat(252)}.xml`;
    remote.put(path, (await payment()).bytes);
    assert.equal((await round()).reason, null);
    const row = await tried('aaa');
    assert.deepEqual(row, { verdict: 'REFUSED', reason: 'The name has above 255 characters.' });
    remote.files.delete(path);
  });

  it('bears a cut in the middle of a file, and takes the file in the next round', async () => {
    const { id, bytes } = await payment();
    remote.put('/out/cut.xml', bytes);
    remote.misdeed = (request) => (request === 'READ' ? 'CUT' : undefined);
    const { reason } = await round();
    assert.match(reason ?? '', /the connection ended\. It is tried again/);
    assert.equal(await tried('cut.xml'), undefined);
    remote.misdeed = () => undefined;
    assert.equal((await round()).reason, null);
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('leaves a file that grows while it is read to the next round', async () => {
    const { id, bytes } = await payment();
    remote.put('/out/grows.xml', bytes.subarray(0, 900));
    remote.misdeed = (request) => {
      if (request === 'READ') remote.put('/out/grows.xml', bytes);
      return undefined;
    };
    assert.equal((await round()).reason, null);
    assert.equal(await tried('grows.xml'), undefined);
    remote.misdeed = () => undefined;
    await round();
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('tries a refused name again when its file changes, and not before', async () => {
    const { id, bytes } = await payment();
    remote.put('/out/half.xml', bytes.subarray(0, 900));
    await round();
    assert.equal((await tried('half.xml'))?.verdict, 'REFUSED');
    remote.asked.length = 0;
    await round();
    assert.deepEqual(remote.asked, ['OPENDIR /out']);
    remote.put('/out/half.xml', bytes);
    await round();
    assert.deepEqual(await tried('half.xml'), { verdict: 'TAKEN', reason: null });
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  it('takes the next file of a name before it removes the file, also one without a time', async () => {
    const sizes = new Set<number>();
    for (const _ of [1, 2]) {
      const { id, bytes } = await payment();
      remote.put('/daily/camt.xml', bytes);
      const held = remote.files.get('/daily/camt.xml');
      if (held) held.modifiedAt = null;
      sizes.add(bytes.length);
      await bank.service.database.sql('UPDATE bank_connections SET due_at = service_now()');
      assert.equal((await round(2)).reason, null);
      assert.equal(await bank.statusOf(id), 'PAID');
      assert.equal(remote.files.has('/daily/camt.xml'), false);
    }
    assert.equal(sizes.size, 1);
  });

  it('that looks once a day looks again a quarter of an hour after a fault', async () => {
    const { sql } = bank.service.database;
    await sql('UPDATE bank_connections SET due_at = service_now() WHERE number = 2');
    remote.misdeed = (_request, path) => (path.startsWith('/daily') ? 'CUT' : undefined);
    assert.equal((await round(2)).fault, 'CLOSED');
    const [after] = await sql<{ minutes: number }>(
      `SELECT extract(epoch FROM due_at - round_at)::int / 60 AS minutes
       FROM bank_connections WHERE number = 2`,
    );
    assert.equal(after?.minutes, 15);
    remote.misdeed = () => undefined;
    await sql('UPDATE bank_connections SET due_at = service_now() WHERE number = 2');
    assert.equal((await round(2)).fault, null);
  });

  const namesIn = (folder: string) =>
    [...remote.files.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1));
  async function roundNow(number: number) {
    const due = `UPDATE bank_connections SET due_at = service_now() WHERE number = ${number}`;
    await bank.service.database.sql(due);
    return round(number);
  }
  const thirdRound = () => roundNow(3);

  it('opens zip and gzip, and moves what it has taken', async () => {
    const [one, two, three] = [await payment(), await payment(), await payment()];
    const zip = writeZip([{ bytes: one.bytes }, { bytes: two.bytes, name: 'two.xml' }]);
    remote.put('/packed/two.zip', zip);
    remote.put('/packed/one.xml.gz', gzipSync(three.bytes));
    remote.put('/packed/half.zip', zip.subarray(0, zip.length >> 1));
    assert.equal((await thirdRound()).reason, null);
    for (const { id } of [one, two, three]) assert.equal(await bank.statusOf(id), 'PAID');
    assert.match((await tried('half.zip'))?.reason ?? '', /^The archive is cut off or damaged/);
    assert.deepEqual(namesIn('/packed'), ['half.zip']);
    assert.deepEqual(namesIn('/done').sort(), ['one.xml.gz', 'two.zip']);
    remote.files.delete('/packed/half.zip');
  });

  for (const [misdeed, sentence] of [
    [
      'PERMISSION_DENIED',
      /^To rename \/done: the server denies it\. Ask the bank for the right to/,
    ],
    ['CUT', /^To connect: the connection ended/],
  ] as const) {
    it(`moves a file in the next round whose move ends in ${misdeed}`, async () => {
      const { id, bytes } = await payment();
      // The bank uses a name again that was moved before.
      remote.put('/packed/one.xml.gz', gzipSync(bytes));
      const before = namesIn('/done');
      remote.misdeed = (request) => (request === 'RENAME' ? misdeed : undefined);
      assert.match((await thirdRound()).reason ?? '', sentence);
      assert.equal(await bank.statusOf(id), 'PAID');
      assert.deepEqual(namesIn('/packed'), ['one.xml.gz']);
      remote.misdeed = () => undefined;
      assert.equal((await thirdRound()).reason, null);
      assert.deepEqual(namesIn('/packed'), []);
      const [moved = '', ...more] = namesIn('/done').filter((name) => !before.includes(name));
      assert.deepEqual(more, []);
      assert.match(moved, /^one\.xml\.gz\.[0-9a-f-]{36}$/);
      assert.deepEqual(remote.files.get(`/done/${moved}`)?.bytes, gzipSync(bytes));
    });
  }

  it('asks for BANK_SFTP_AFTER from 5,000 files on, and reads none of them again', async () => {
    const before = namesIn('/out').filter((name) => name.endsWith('.xml')).length;
    const put = (n: number) => remote.put(`/out/left-${n}.xml`, Buffer.from('<Document/>'));
    for (let n = before + 1; n < 5_000; n += 1) put(n);
    await bank.service.database.sql(
      `INSERT INTO bank_connection_files
         (id, connection, path_hash, name, size_bytes, modified_at, verdict)
       SELECT gen_random_uuid(), 1, sha256(convert_to(path, 'UTF8')), path, 11, at, 'TAKEN'
       FROM unnest($1::text[], $2::bigint[]) AS left_there (path, at)`,
      [
        namesIn('/out').flatMap((name) => (name.startsWith('left-') ? `/out/${name}` : [])),
        [...remote.files].flatMap(([path, { modifiedAt }]) =>
          path.startsWith('/out/left-') ? (modifiedAt ?? 0) : [],
        ),
      ],
    );
    const warnings = () =>
      bank.service.logLines.flatMap(({ msg, count }) =>
        msg === 'bank connection: many files on the server, set BANK_SFTP_AFTER' ? count : [],
      );
    remote.asked.length = 0;
    assert.equal((await round()).files, 4_999);
    assert.deepEqual(warnings(), []);
    assert.deepEqual(remote.asked, ['OPENDIR /out']);
    put(5_000);
    assert.equal((await round()).files, 5_000);
    assert.deepEqual(warnings(), [5_000]);
    for (const name of namesIn('/out')) {
      if (name.startsWith('left-')) remote.files.delete(`/out/${name}`);
    }
    await bank.service.database.sql(`DELETE FROM bank_connection_files WHERE name ~ 'left-'`);
  });

  it('counts a file once that came by the folder, too', async () => {
    const { id, bytes } = await payment();
    await bank.deliver(bytes);
    remote.put('/out/again.xml', bytes);
    await round();
    assert.equal((await tried('again.xml'))?.verdict, 'TAKEN');
    assert.equal(await bank.statusOf(id), 'PAID');
  });

  /** A payment request of each account, and a file of two statements that pays both. */
  async function twoAccounts() {
    const own = await bank.show();
    await bank.setAccount(OTHER_IBAN);
    const foreign = await bank.show();
    await bank.setAccount(HARBOUR_IBAN);
    const entriesOf = ({ reference }: TransferLink) => [{ amountCents: 10_000, reference }];
    const bytes = writeStatementFile({
      statements: [
        { iban: HARBOUR_IBAN, entries: entriesOf(own) },
        { iban: OTHER_IBAN, entries: entriesOf(foreign) },
      ],
    });
    const statuses = async () => [await bank.statusOf(own.id), await bank.statusOf(foreign.id)];
    return { bytes, statuses };
  }
  async function importByPerson(bytes: Buffer): Promise<string> {
    const path = join(refunds, 'statement-of-the-bank');
    writeFileSync(path, bytes);
    const { stdout, stderr } = await runCli(['bank', 'import', path], bank.service.env);
    rmSync(path);
    return stdout + stderr;
  }
  const WITHHELD_3000 = /^Entries of account …3000 do not count: neither BANK_SFTP_ACCOUNTS of/;

  it('counts entries of its accounts alone, and the others once a person imports the file', async () => {
    const { bytes, statuses } = await twoAccounts();
    remote.put('/other/both.xml', bytes);
    assert.equal((await roundNow(4)).reason, null);
    assert.deepEqual(await statuses(), ['CREATED', 'PAID']);
    const row = await tried('both.xml');
    assert.equal(row?.verdict, 'PART');
    assert.match(row?.reason ?? '', WITHHELD_3000);
    assert.ok(remote.files.has('/other/both.xml'), 'the file stays for the person');
    const metrics = await (await fetch(`${bank.service.opsUrl}/metrics`)).text();
    assert.match(metrics, /bank_alerts_total\{[^}]*alert="ENTRIES_WITHHELD"[^}]*\} 1\n/);
    const { message } = await statementsCheck();
    assert.match(message, /Bank file [0-9a-f-]{36}: Entries of account …3000 do not count/);
    const operator = await signIn(bank.service, { role: 'operator' });
    const files = await operator.get('/console/operator/bank-files');
    assert.match(files.html, /Counts in part/);
    assert.match(files.html, /bank-files"[^>]*>Bank files\n<span class="count warning">1</);
    const [, id = ''] = /bank-files\/([0-9a-f-]{36})/.exec(files.html) ?? [];
    const page = await operator.get(`/console/operator/bank-files/${id}`);
    assert.match(page.html, /A part of this file does not count.*Entries of account …3000/s);

    assert.match(await importByPerson(bytes), /^Imported and matched\./);
    assert.deepEqual(await statuses(), ['PAID', 'PAID']);
    assert.match(await importByPerson(bytes), /^The file was imported before/);
    assert.doesNotMatch((await statementsCheck()).message, /do not count/);
    await bank.service.advance(86_400);
    assert.equal((await roundNow(4)).reason, null);
    assert.deepEqual(await tried('both.xml'), { verdict: 'TAKEN', reason: null });
    assert.equal(remote.files.has('/other/both.xml'), false);
  });

  it('counts the rest of a file, also of an archive, that a connection brings which may', async () => {
    const { bytes, statuses } = await twoAccounts();
    const zip = writeZip([{ bytes }]);
    remote.put('/other/both.zip', zip);
    assert.equal((await roundNow(4)).reason, null);
    assert.match((await tried('both.zip'))?.reason ?? '', WITHHELD_3000);
    assert.deepEqual(await statuses(), ['CREATED', 'PAID']);
    remote.put('/out/both-plain.xml', bytes);
    await round();
    assert.deepEqual(await tried('both-plain.xml'), { verdict: 'TAKEN', reason: null });
    assert.deepEqual(await statuses(), ['PAID', 'PAID']);
    await bank.service.advance(86_400);
    await roundNow(4);
    assert.deepEqual(await tried('both.zip'), { verdict: 'TAKEN', reason: null });
    assert.equal(remote.files.has('/other/both.zip'), false);
  });

  it('refuses a file that has other accounts of ours alone, in the same words', async () => {
    const { bytes } = await payment();
    remote.put('/other/none.xml', bytes);
    await roundNow(4);
    const row = await tried('none.xml');
    assert.match(
      `${row?.verdict} ${row?.reason}`,
      /^REFUSED Entries of account …3000 do not count/,
    );
    remote.files.delete('/other/none.xml');
  });

  it('withholds the entry of the QR-IBAN of a merchant that it does not list', async () => {
    const made = await runCli(['merchant', 'create', '--name', 'Alp', '--json'], bank.service.env);
    const alp = ['--merchant', made.json().merchantId, '--holder', 'Alp AG', '--iban', QR_IBAN];
    const set = await runCli(['merchant', 'set-account', ...alp], bank.service.env);
    assert.equal(set.exitCode, 0, set.stderr);
    const { reference, id } = await bank.show();
    const entries = [
      { amountCents: 10_000, entryReference: QR_IBAN, text: 'Order 1' },
      { amountCents: 10_000, reference },
    ];
    const bytes = writeStatement({ iban: HARBOUR_IBAN, entries });
    remote.put('/out/qr.xml', bytes);
    await round();
    const row = await tried('qr.xml');
    assert.match(`${row?.verdict} ${row?.reason}`, /^PART Entries of account …9012 do not count/);
    assert.equal(await bank.statusOf(id), 'PAID');
    const { sql } = bank.service.database;
    const counted = () =>
      sql<{ account: string }>(
        `SELECT e.account FROM bank_entries e
         JOIN bank_connection_files f USING (file_id) WHERE f.name = 'qr.xml' ORDER BY 1`,
      );
    assert.deepEqual(await counted(), [{ account: HARBOUR_IBAN }]);
    const metrics = await (await fetch(`${bank.service.opsUrl}/metrics`)).text();
    // The balances are those of the whole statement.
    assert.match(metrics, /bank_alerts_total\{[^}]*alert="BALANCE_MISMATCH"[^}]*\} 0\n/);
    const listed = `SELECT statement_account AS as FROM creditor_account_keys WHERE key = '${QR_IBAN}'`;
    assert.deepEqual(await sql(listed), [{ as: null }]);
    assert.match(await importByPerson(bytes), /^Imported and matched\./);
    assert.deepEqual(await counted(), [{ account: QR_IBAN }, { account: HARBOUR_IBAN }]);
    remote.files.delete('/out/qr.xml');
    // The ordinary IBAN under which the bank lists it, on a day without an entry.
    const entry = { amountCents: 1, entryReference: QR_IBAN, text: 'Order 2' };
    await importByPerson(writeStatement({ iban: SWISS_IBAN, entries: [entry] }));
    assert.deepEqual(await sql(listed), [{ as: SWISS_IBAN }]);
    remote.put('/other/listed.xml', writeStatement({ iban: SWISS_IBAN }));
    await roundNow(4);
    assert.match((await tried('listed.xml'))?.reason ?? '', /^Entries of account …9012 do not/);
    remote.files.delete('/other/listed.xml');
  });

  it('takes the file of a British IBAN whose account it lists by the scheme', async () => {
    const other = await runCli(
      ['merchant', 'create', '--name', 'Dover', '--json'],
      bank.service.env,
    );
    const dover = ['--merchant', other.json().merchantId, '--holder', 'Dover Ltd'];
    const set = ['merchant', 'set-account', ...dover, '--iban', BRITISH.iban];
    assert.equal((await runCli(set, bank.service.env)).exitCode, 0);
    const entries = [{ amountCents: 10_000, text: 'Order 1' }];
    remote.put('/out/british.xml', writeStatement({ iban: BRITISH.iban, entries }));
    await round();
    assert.deepEqual(await tried('british.xml'), { verdict: 'TAKEN', reason: null });
  });

  it('takes the files behind one that cannot be noted', async () => {
    const { sql } = bank.service.database;
    const { id, bytes } = await payment();
    remote.put('/out/behind.xml', bytes);
    remote.put('/out/unnoted.xml', (await payment()).bytes);
    await sql(`ALTER TABLE bank_connection_files
      ADD CONSTRAINT trial CHECK (name <> 'unnoted.xml')`);
    assert.equal((await round()).fault, 'DATABASE');
    assert.equal(await bank.statusOf(id), 'PAID');
    assert.equal((await tried('behind.xml'))?.verdict, 'TAKEN');
    await sql('ALTER TABLE bank_connection_files DROP CONSTRAINT trial');
    assert.equal((await round()).fault, null);
  });

  it('says which folder the bank has not made', async () => {
    remote.misdeed = (request) => (request === 'OPENDIR' ? 'NO_SUCH_FILE' : undefined);
    const { fault, reason } = await round();
    assert.equal(fault, 'MISSING');
    assert.match(
      reason ?? '',
      /^To list \/out: there is no such folder.*Correct it in the settings/,
    );
  });

  it('says in `payreq bank connection check` what fails, and who can correct it', async () => {
    const check = (...args: string[]) =>
      runCli(['bank', 'connection', 'check', ...args], bank.service.env);
    const good = await check('--show-host-key');
    assert.equal(good.exitCode, 0, good.stderr);
    assert.match(good.stdout, /shows SHA256:/);
    assert.match(
      good.stdout,
      /ok +sign in .*\nok +list \/out\nok +read .*\nok +write to \/in\nok +rename/,
    );
    remote.misdeed = (request) => (request === 'WRITE' ? 'FAILURE' : undefined);
    const bad = await check();
    assert.equal(bad.exitCode, 1);
    assert.match(bad.stdout, /failed +write to \/in\n.*disk or your quota.*The bank corrects it/);
    const stranger = await runCli(['bank', 'connection', 'check'], {
      ...bank.service.env,
      BANK_SFTP_HOST_KEY: `SHA256:${'A'.repeat(43)}`,
    });
    assert.match(stranger.stdout, /failed +compare the key .*\nTo connect: the server shows a key/);
  });

  const { write: paymentFile, actOn, stateOf } = paymentFilesOf(() => bank);
  /** The orders to pay the refund that the bank has. */
  const ordersOf = (refundId: string) =>
    [...remote.files].flatMap(([path, { bytes }]) =>
      path.startsWith('/in/') && bytes.includes(refundId.replaceAll('-', '')) ? [path] : [],
    );

  it('sends a payment file once it is released, and by no other way', async () => {
    const { messageId, refundId } = await paymentFile();
    await round();
    assert.deepEqual(ordersOf(refundId), []);
    assert.equal(await stateOf(messageId), 'WAITING');
    const released = await actOn('release', messageId, '--yes');
    assert.equal(released.exitCode, 0, released.stderr);
    assert.match(
      released.stderr,
      /1 payment, 1\.00 EUR in all\. The largest:\n1\.00 to Ada, …2606/,
    );
    await round();
    assert.deepEqual(ordersOf(refundId), [`/in/${messageId}.xml`]);
    assert.equal(await stateOf(messageId), 'SENT');
    await round();
    assert.deepEqual(ordersOf(refundId), [`/in/${messageId}.xml`]);
    assert.deepEqual(
      readdirSync(refunds).filter((name) => name.endsWith('.xml')),
      [],
    );
    const again = await runCli(['bank', 'refunds', '--again', messageId], bank.service.env);
    const sentence = /\.copy: 1 refund.*\nA copy: the file goes by connection 1 and is SENT\. Give/;
    assert.match(again.stdout, sentence);
    assert.match((await actOn('set-way', messageId, '--way', 'folder')).stderr, /has left/);
  });

  it('takes the bank’s rejections from a folder of their own, or beside the statements', async () => {
    for (const [n, path] of ['/reports/rejected.xml', '/out/rejected.xml'].entries()) {
      const { messageId, refundId } = await paymentFile();
      assert.equal((await actOn('release', messageId, '--yes')).exitCode, 0);
      await round();
      assert.equal(await stateOf(messageId), 'SENT');
      const refunds = [{ refundId, code: 'AC04' }];
      remote.put(path, writeRejections({ messageId, refunds }));
      assert.equal((await (n === 0 ? thirdRound() : round())).reason, null);
      assert.equal((await bank.call('GET', `/v1/refunds/${refundId}`)).json.status, 'FAILED', path);
    }
    assert.ok(remote.files.has('/done/rejected.xml'));
    remote.files.delete('/out/rejected.xml');
    remote.put('/reports/other.xml', writeRejections({ messageId: 'NONE', whole: 'AC04' }));
    await thirdRound();
    assert.match((await tried('other.xml'))?.reason ?? '', /^The file answers no payment file of/);
  });

  function rename(path: string): void {
    const held = remote.files.get(`${path}.tmp`);
    assert.ok(held);
    remote.files.set(path, held);
    remote.files.delete(`${path}.tmp`);
  }

  it('shows operators the connection, and lets them release what waits', async () => {
    const path = '/console/operator/bank-connection';
    const { messageId, refundId } = await paymentFile();
    const operator = await signIn(bank.service, { role: 'operator' });
    assert.match((await operator.get('/console')).html, new RegExp(`href="${path}"`));
    const { html } = await operator.get(path);
    assert.match(html, /Connection 1 <span class="badge good">Good/);
    assert.match(html, /world-1\.xml.*Refused<\/span><span class="reason">Line \d+/s);
    const page = `${path}/payments/${messageId}`;
    assert.match((await operator.get(page)).html, /Waits for a person.*Ada.*1\.00/s);
    const what = /<h1>One refund, €1\.00 .*<button[^>]*>Send one refund, €1\.00, to the bank</s;
    assert.match((await operator.get(page)).html, what);
    const reader = await signIn(bank.service, { role: 'operator-readonly' });
    assert.equal((await reader.post(`${page}/release`)).status, 403);
    const released = await operator.post(`${page}/release`);
    assert.equal(released.location, `${path}?done=fileActed`, released.html);
    const asked = await operator.post(`${path}/try`, { connection: '1' });
    assert.equal(asked.location, `${path}?done=roundAsked`);
    assert.equal((await operator.post(`${path}/try`, { connection: '7' })).status, 400);
    await round();
    assert.deepEqual(ordersOf(refundId), [`/in/${messageId}.xml`]);
    assert.match((await operator.get(page)).html, /badge good">Sent/);
  });

  it('needs two people where approvals are on, the second with a proven name', async () => {
    const { messageId } = await paymentFile();
    const { db } = bank.service.database;
    const ask = (actor: string, isProven: boolean) =>
      actOnFile(
        { db, connections: [], needsTwo: true, audit: async () => {} },
        messageId,
        { act: 'release' },
        { actor, isProven },
      );
    // A request of the first person counts for 72 hours.
    assert.equal(await ask('cyd', true), 'ASKED');
    await bank.service.advance(72 * 3_600);
    await round();
    assert.equal(await ask('ada', true), 'ASKED');
    assert.equal(await ask('ada', true), 'ASKED');
    assert.equal(await ask('bob', false), 'ASKED');
    assert.equal(await stateOf(messageId), 'WAITING');
    assert.equal(await ask('bob', true), 'DONE');
    assert.equal(await stateOf(messageId), 'RELEASED');
    const other = await actOn('set-way', messageId, '--way', '2');
    assert.match(other.stderr, /The account of the file does not pay by connection 2/);
    const unasked = actOnFile(
      { db, connections: [], needsTwo: false, audit: async () => {} },
      messageId,
      { act: 'set-way', connection: 2 },
      { actor: 'ada', isProven: true },
    );
    await assert.rejects(unasked, /The account of the file does not pay by connection 2/);
    const settled = await actOn('set-way', messageId, '--way', 'folder');
    assert.equal(settled.exitCode, 0, settled.stderr);
    assert.match((await actOn('release', messageId, '--yes')).stderr, /leaves by a folder/);
  });

  it('warns in the doctor of files that leave without a person while approvals are on', async () => {
    const provider = { CONSOLE_OIDC_ISSUER: 'https://id.example', CONSOLE_OIDC_CLIENT_ID: 'c' };
    const approvals = { APPROVALS: 'yes', CONSOLE_ROLES: 'ops=operator', ...provider };
    const messageOf = async (release: string) => {
      const env = { ...bank.service.env, ...approvals, BANK_SFTP_RELEASE: release };
      const { checks } = (await runCli(['doctor', '--json'], env)).json();
      return checks.find(({ name }: { name: string }) => name === 'statements').message;
    };
    const warning = /files leave without a person: is bank meant in BANK_SFTP_RELEASE, and does/;
    assert.match(await messageOf('bank'), warning);
    assert.doesNotMatch(await messageOf('person'), warning);
  });

  /** The verdict of the doctor about statements. */
  async function statementsCheck(): Promise<{ readonly ok: boolean; readonly message: string }> {
    const { checks } = (await runCli(['doctor', '--json'], bank.service.env)).json();
    return checks.find(({ name }: { name: string }) => name === 'statements');
  }

  it('tells operators of an hour without a good round, and of a file that waits so long', async () => {
    const { messageId } = await paymentFile();
    assert.equal((await actOn('release', messageId, '--yes')).exitCode, 0);
    remote.misdeed = () => 'PERMISSION_DENIED';
    await round();
    await bank.service.advance(3_600);
    await round();
    const sentences =
      'Bank connection 1 has had no good round for an hour. To list /out: the server denies it. ' +
      'Ask the bank for the right to this folder. ' +
      'A released payment file has not reached the bank for an hour.';
    const { ok, message } = await statementsCheck();
    assert.equal(ok, false);
    assert.ok(message.includes(sentences), message);
    // The others look once a day, and their last look was good.
    assert.doesNotMatch(message, /connection [23]/);
    const readiness = async () => (await fetch(`${bank.service.opsUrl}/health/ready`)).json();
    await eventually(
      async () => JSON.stringify(await readiness()).includes(sentences),
      'a warning',
    );
    // Gauges are read again after 5 s.
    await bank.service.advance(5);
    const text = await (await fetch(`${bank.service.opsUrl}/metrics`)).text();
    for (const series of [
      /bank_connection_good_round_seconds\{[^}]*connection="1"[^}]*\} 4\d{3}/,
      /bank_connection_good_round_seconds\{[^}]*connection="2"[^}]*\} 0\n/,
      /bank_payment_file_unsent_seconds(\{[^}]*\})? 4\d{3}/,
    ]) {
      assert.match(text, series);
    }
    remote.misdeed = () => undefined;
    await round();
    assert.equal(await stateOf(messageId), 'SENT');
    assert.doesNotMatch((await statementsCheck()).message, /connection|released/);
  });

  it('stays visible while no process looks at it, until a person removes it', async () => {
    const { sql } = bank.service.database;
    const unread = (number: number, days: number) =>
      sql(
        `INSERT INTO bank_connections (number, due_at, round_at, good_at)
         SELECT $1, at + interval '5 minutes', at, at
         FROM (SELECT service_now() - make_interval(days => $2) AS at) t`,
        [number, days],
      );
    await unread(8, 1);
    await unread(9, 30);
    await sql(
      `INSERT INTO bank_connection_files
         (id, connection, path_hash, name, size_bytes, modified_at, verdict)
       VALUES (gen_random_uuid(), 9, sha256('x'), 'x.xml', 1, 1, 'TAKEN')`,
    );
    const sentence =
      /No process has looked at bank connection 9 since 20[0-9T:-]{14}Z: its settings/;
    const { message } = await statementsCheck();
    assert.match(message, sentence);
    assert.match(message, /Bank connection 8 has had no good round for an hour/);
    const operator = await signIn(bank.service, { role: 'operator' });
    const page = await operator.get('/console/operator/bank-connection');
    assert.match(page.html, /Connection 9 .*Not looked at any more.*connection remove 9/s);
    const remove = (number: string, how = '--yes') =>
      runCli(['bank', 'connection', 'remove', number, how], bank.service.env);
    assert.match((await remove('1')).stderr, /Connection 1 is in the settings: take it out first/);
    await claimRound(bank.service.database.db, 9, randomUUID(), 5);
    for (const how of ['--yes', '--dry-run']) {
      const { stderr } = await remove('9', how);
      assert.match(stderr, /no connection 9, or a process looks at it now/, how);
    }
    assert.doesNotMatch((await statementsCheck()).message, sentence);
    await sql('UPDATE bank_connections SET leased_by = NULL, leased_until = NULL WHERE number = 9');
    for (const number of ['8', '9']) {
      const { stdout, stderr } = await remove(number);
      assert.equal(stdout, `Connection ${number} is removed.\n`, stderr);
    }
    assert.doesNotMatch((await statementsCheck()).message, /connection [89]/);
    assert.match((await remove('9')).stderr, /There is no connection 9/);
    const acts = await sql<{ connection: string }>(
      `SELECT details->>'connection' AS connection FROM audit_log
       WHERE action = 'BANK_CONNECTION_REMOVED' ORDER BY position`,
    );
    assert.deepEqual(acts, [{ connection: '8' }, { connection: '9' }]);
  });

  it('does not release a file with a refund that an operator has ended meanwhile', async () => {
    const { messageId, refundId } = await paymentFile();
    const fail = ['refund', 'fail', refundId, '--note', 'The payer asked for it', '--yes'];
    const failed = await runCli(fail, bank.service.env);
    assert.equal(failed.exitCode, 0, failed.stderr);
    const released = await actOn('release', messageId, '--yes');
    assert.match(released.stderr, /^1 of its refunds ended meanwhile, and the file pays them\./m);
    assert.equal(await stateOf(messageId), 'WAITING');
  });

  const endings = [
    'before its bytes leave',
    'after a cut behind its bytes',
    'while its bytes leave',
  ];
  for (const [at, ending] of endings.entries()) {
    it(`holds a released file whose refund ends ${ending}, until a person decides`, async () => {
      const { messageId, refundId } = await paymentFile();
      const temporary = `/in/${messageId}.xml.tmp`;
      assert.equal((await actOn('release', messageId, '--yes')).exitCode, 0);
      const fail = async (): Promise<undefined> => {
        const args = ['refund', 'fail', refundId, '--note', 'The payer asked for it', '--yes'];
        assert.equal((await runCli(args, bank.service.env)).exitCode, 0);
      };
      if (at === 1) {
        remote.misdeed = (request, path) =>
          request === 'LSTAT' && path === temporary ? 'CUT' : undefined;
        await round();
        assert.ok(remote.files.has(temporary));
      }
      if (at < 2) await fail();
      remote.misdeed = (request, path) =>
        at === 2 && request === 'WRITE' && path === temporary ? fail() : undefined;
      assert.equal((await round()).reason, null);
      assert.equal(await stateOf(messageId), 'WAITING');
      const left = [...remote.files.keys()].filter((path) => path.includes(messageId));
      assert.deepEqual(left, []);
      const way = await actOn('set-way', messageId, '--way', 'folder');
      assert.equal(way.exitCode, 0, way.stderr);
      const text = await (await fetch(`${bank.service.opsUrl}/metrics`)).text();
      const alerts = new RegExp(
        `bank_alerts_total\\{[^}]*alert="PAYMENT_FILE_HELD"[^}]*\\} ${at + 1}\n`,
      );
      assert.match(text, alerts);
    });
  }

  it('sends a released file in spite of statements that cannot be listed', async () => {
    const { messageId, refundId } = await paymentFile();
    assert.equal((await actOn('release', messageId, '--yes')).exitCode, 0);
    remote.misdeed = (request) => (request === 'OPENDIR' ? 'CUT' : undefined);
    assert.equal((await round()).fault, 'CLOSED');
    assert.deepEqual(ordersOf(refundId), [`/in/${messageId}.xml`]);
  });

  it('sends a released file in spite of statements that take all of their time', async () => {
    const { messageId, refundId } = await paymentFile();
    assert.equal((await actOn('release', messageId, '--yes')).exitCode, 0);
    const passTime = holdTimer('setTimeout', STATEMENTS_MS);
    remote.misdeed = (request) => {
      if (request !== 'OPENDIR') return undefined;
      passTime();
      return 'SILENT';
    };
    const { fault } = await round().finally(() => mock.restoreAll());
    assert.equal(fault, 'TIME');
    assert.deepEqual(ordersOf(refundId), [`/in/${messageId}.xml`]);
  });

  it('takes statements in spite of a payment file that cannot be sent', async () => {
    const { messageId } = await paymentFile();
    const { id, bytes } = await payment();
    remote.put('/out/beside.xml', bytes);
    assert.equal((await actOn('release', messageId, '--yes')).exitCode, 0);
    remote.misdeed = (_request, path) => (path.startsWith('/in/') ? 'CUT' : undefined);
    assert.equal((await round()).fault, 'CLOSED');
    assert.equal(await bank.statusOf(id), 'PAID');
    remote.misdeed = () => undefined;
    assert.equal((await round()).fault, null);
    assert.equal(await stateOf(messageId), 'SENT');
  });

  it('changes the way of no file that the bank may have', async () => {
    const { messageId } = await paymentFile();
    await actOn('release', messageId, '--yes');
    remote.put(`/in/${messageId}.xml`, Buffer.from('?'));
    await round();
    assert.match(await stateOf(messageId), /^UNCLEAR/);
    assert.match((await statementsCheck()).message, /The bank may have a payment file or not: ask/);
    const moved = await actOn('set-way', messageId, '--way', 'folder');
    assert.match(moved.stderr, /has begun to leave: .*settle it first/);
    assert.equal((await actOn('settle', messageId, '--as', 'sent', '--yes')).exitCode, 0);
    assert.equal(await stateOf(messageId), 'SENT');
  });

  interface Sending {
    readonly name: string;
    readonly misdeed?: (request: string, path: string) => ReturnType<SftpBank['misdeed']>;
    /** The state after the round. */
    readonly state: string;
    /** The sentence of the round. */
    readonly says?: RegExp;
    /** A person says first that the bank does not have the file. */
    readonly isLost?: boolean;
  }
  /** Each row goes on with the file of the row before, and with a new one after SENT. */
  const sendings: readonly Sending[] = [
    {
      name: 'a folder that the server does not let it look at',
      misdeed: (request) => (request === 'LSTAT' ? 'PERMISSION_DENIED' : undefined),
      state: 'RELEASED',
      says: /^To list \/in: the server denies it\. Ask the bank for the right to this folder/,
    },
    {
      name: 'a server that does not find the bytes which it has taken',
      misdeed: (request, path) =>
        request === 'LSTAT' && path.endsWith('.tmp') ? 'FAILURE' : undefined,
      state: 'RELEASED',
      says: /^To list \/in: the server refuses it without a reason\. The bank corrects it/,
    },
    {
      name: 'a cut in the middle of the bytes',
      misdeed: (request) => (request === 'WRITE' ? 'CUT' : undefined),
      state: 'RELEASED',
    },
    {
      name: 'a server that keeps half of the bytes',
      misdeed(request, path) {
        const held = remote.files.get(path);
        if (request === 'LSTAT' && held) held.bytes = held.bytes.subarray(0, 99);
        return undefined;
      },
      state: 'RELEASED',
      says: /^To write \/in: the file on the server is not as long as what was sent\. It is sent ag/,
    },
    {
      name: 'a full disk',
      misdeed: (request) => (request === 'WRITE' ? 'FAILURE' : undefined),
      state: 'RELEASED',
      says: /^To write \/in: the server did not store the file: its disk or your quota may be full/,
    },
    {
      name: 'a cut before the rename',
      misdeed: (request) => (request === 'RENAME' ? 'CUT' : undefined),
      state: 'RELEASED',
    },
    {
      name: 'an end of file as the answer to the rename',
      misdeed: (request) => (request === 'RENAME' ? 'EOF' : undefined),
      state: 'RELEASED',
    },
    { name: 'a file that only needs its name', state: 'SENT' },
    {
      name: 'a cut after the rename',
      misdeed(request, path) {
        if (request !== 'RENAME') return undefined;
        rename(path);
        return 'CUT';
      },
      state: 'RELEASED',
    },
    { name: 'a file that has its name', state: 'SENT' },
    {
      name: 'a cut after the rename of a file that the bank takes at once',
      misdeed(request, path) {
        if (request !== 'RENAME') return undefined;
        rename(path);
        remote.files.delete(path);
        return 'CUT';
      },
      state: 'RELEASED',
    },
    {
      name: 'a folder that has the file under no name',
      state: 'UNCLEAR: the connection ended while it got its name',
    },
    {
      name: 'a name that exists already',
      isLost: true,
      misdeed(request, path) {
        if (request === 'LSTAT' && !remote.files.has(path)) remote.put(path, Buffer.from('?'));
        return undefined;
      },
      state: 'UNCLEAR: the folder of the bank has a file of its name already',
    },
    { name: 'a file that the bank does not have', isLost: true, state: 'SENT' },
  ];

  it(`orders a refund once in spite of ${sendings.map(({ name }) => name).join('; ')}`, async () => {
    let file: Awaited<ReturnType<typeof paymentFile>> | undefined;
    for (const { name, misdeed, state, says, isLost } of sendings) {
      if (!file) {
        file = await paymentFile();
        assert.equal((await actOn('release', file.messageId, '--yes')).exitCode, 0, name);
      }
      const { messageId, refundId } = file;
      if (isLost) {
        assert.match((await actOn('release', messageId, '--yes')).stderr, /is UNCLEAR/);
        for (const path of remote.files.keys()) {
          if (path.includes(messageId)) remote.files.delete(path);
        }
        const settled = await actOn('settle', messageId, '--as', 'lost', '--yes');
        assert.equal(settled.exitCode, 0, settled.stderr);
      }
      remote.misdeed = (request, path) =>
        path.endsWith(`${messageId}.xml`) || path.endsWith('.tmp')
          ? misdeed?.(request, path)
          : undefined;
      const { reason } = await round();
      if (says) assert.match(reason ?? '', says, name);
      assert.equal(await stateOf(messageId), state, name);
      if (state !== 'SENT') continue;
      assert.deepEqual(ordersOf(refundId), [`/in/${messageId}.xml`], name);
      file = undefined;
    }
  });

  it('says that a round took its time when its end cuts the connection', async () => {
    const { db, sql } = bank.service.database;
    const [first] = readConfig(bank.service.env).bank.connections;
    const ending = new AbortController();
    remote.misdeed = (request) => {
      if (request !== 'OPENDIR') return undefined;
      ending.abort(new SftpFault('TIME', 'list'));
      return 'SILENT';
    };
    const deps = {
      ...{ db, connection: { ...first, number: 9, payments: null } },
      ...{ metrics: { bankConnectionRound() {} }, log: { warn() {} } },
    };
    await runRound(deps as unknown as RoundDeps, ending.signal);
    const [row] = await sql<Round & { isDue: boolean }>(
      `DELETE FROM bank_connections WHERE number = 9
       RETURNING reason, due_at <= service_now() AS "isDue"`,
    );
    assert.match(row?.reason ?? '', /^To list: the round took its 10 minutes/);
    assert.ok(row?.isDue, 'a process that stops leaves the look to another one');
  });

  it('has a word of its own for a round whose lease another process took', async () => {
    const { db, sql } = bank.service.database;
    const [first] = readConfig(bank.service.env).bank.connections;
    const renew = holdTimer('setInterval', RENEWAL_MS);
    const other = randomUUID();
    remote.misdeed = (request) => {
      if (request !== 'OPENDIR') return undefined;
      const taken = sql('UPDATE bank_connections SET leased_by = $1 WHERE number = 9', [other]);
      void taken.then(() => renew());
      return 'SILENT';
    };
    const said: string[] = [];
    const deps = {
      ...{ db, connection: { ...first, number: 9, payments: null } },
      metrics: { bankConnectionRound: (outcome: string) => said.push(outcome) },
      log: { warn: ({ reason }: { reason: string }) => said.push(reason) },
    };
    await runRound(deps as unknown as RoundDeps).finally(() => mock.restoreAll());
    assert.equal(said[0], 'LEASE_LOST');
    assert.match(said[1] ?? '', /^To list: another process has taken the connection over/);
    const [row] = await sql<{ by: string; fault: string | null }>(
      'DELETE FROM bank_connections WHERE number = 9 RETURNING leased_by AS by, fault',
    );
    assert.deepEqual(row, { by: other, fault: null }, 'the other round goes on');
  });

  it('counts no round as good that ends between statements and payment files', async () => {
    const { db, sql } = bank.service.database;
    const [first] = readConfig(bank.service.env).bank.connections;
    const ending = new AbortController();
    const said: string[] = [];
    const connection = {
      ...{ ...first, number: 9 },
      get incoming() {
        ending.abort(new SftpFault('TIME', 'list'));
        return [];
      },
    };
    const metrics = { bankConnectionRound: (outcome: string) => said.push(outcome) };
    const deps = { db, connection, metrics, log: { warn() {} } };
    await runRound(deps as unknown as RoundDeps, ending.signal);
    assert.deepEqual(said, ['TIME']);
    await sql('DELETE FROM bank_connections WHERE number = 9');
  });

  it('is looked at by one process at a time, also after a clock that jumps back', async () => {
    const { db, sql } = bank.service.database;
    const [mine, other] = [randomUUID(), randomUUID()];
    const claim = (by: string) => claimRound(db, 9, by, 5);
    assert.deepEqual([await claim(mine), await claim(other)], [true, false]);
    const good = { fault: null, reason: null, filesThere: 0 };
    await endRound(db, { number: 9, by: mine, everyMinutes: 5, ...good });
    assert.equal(await claim(other), false, 'not due');
    const [row] = await sql<{ lock: string }>(
      'SELECT xmax::text AS lock FROM bank_connections WHERE number = 9',
    );
    assert.equal(row?.lock, '0', 'a look writes nothing');
    const ahead = (column: string) =>
      sql(
        `UPDATE bank_connections SET ${column} = service_now() + interval '1 h' WHERE number = 9`,
      );
    await ahead('due_at');
    assert.equal(await claim(other), true, 'due at a time of the clock before');
    await ahead('leased_until');
    await ahead('due_at');
    assert.equal(await claim(mine), true, 'leased by the clock before');
    assert.equal(await renewLease(db, 9, other), false);
    await sql('DELETE FROM bank_connections WHERE number = 9');
  });

  it('sends nothing again that left after the moment to which the database was restored', async () => {
    const { messageId, refundId } = await paymentFile();
    await actOn('release', messageId, '--yes');
    await round();
    assert.deepEqual(ordersOf(refundId), [`/in/${messageId}.xml`]);
    // The bank takes the file. The copy of the database is of the moment when its bytes were put.
    remote.files.delete(`/in/${messageId}.xml`);
    const { sql } = bank.service.database;
    await sql(
      `UPDATE bank_payment_files SET renaming_at = NULL, written_at = NULL, written_as = NULL
       WHERE message_id = $1`,
      [messageId],
    );
    await round();
    assert.deepEqual(ordersOf(refundId), []);
    assert.equal(await stateOf(messageId), 'RELEASED');
  });

  it('sends nothing to a server with another key, and raises an alert', async () => {
    await remote.changeKey();
    remote.asked.length = 0;
    const { fault, reason } = await round();
    assert.equal(fault, 'HOST_KEY');
    assert.match(reason ?? '', /nothing was sent\. Ask the bank by telephone/);
    assert.deepEqual(remote.asked, []);
    const text = await (await fetch(`${bank.service.opsUrl}/metrics`)).text();
    assert.match(text, /bank_connection_rounds_total\{[^}]*outcome="HOST_KEY"[^}]*\} 1/);
    assert.match(text, /bank_alerts_total\{[^}]*alert="HOST_KEY_CHANGED"[^}]*\} 1/);
  });

  it('has counted every booking once', async () => {
    const { sql } = bank.service.database;
    const paid = await sql(`SELECT FROM payment_requests WHERE status = 'PAID'`);
    const payments = (await bank.ledger()).filter((entry) => entry.startsWith('PAYMENT'));
    assert.equal(payments.length, paid.length);
    // No statement of the test books the refunds.
    const kinds = new Set((await bank.openCases()).map(({ kind }) => kind));
    kinds.delete('REFUND_OVERDUE');
    assert.deepEqual([...kinds], []);
  });
});
