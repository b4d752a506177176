/**
 * `npm run bench -- bank-files`: seconds from a statement's arrival until it is staged, and until
 * its money is reported, the memory that it takes, and the p99 of reads before and meanwhile, at
 * different numbers of open payment requests. The file has 25 MB. Options: `--entries <n>` (7000),
 * `--open <n,n>` (10000,1000000), `--way <folder|sftp>` (folder), `--json`.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import {
  FOLDER_MODE,
  type SftpBank,
  startSftpBank,
} from '../../service/test/support/bank/sftp-bank.ts';
import {
  referenceOfDigits,
  writeStatement,
} from '../../service/test/support/bank/write-statement.ts';
import { describeMachine } from '../describe-machine.ts';
import { generateLoad } from '../load/generate-load.ts';
import { createPaymentRequest, readCall } from '../service/calls.ts';
import { startServiceUnderTest } from '../service/service-under-test.ts';
import { readOptions } from './read-options.ts';

const IBAN = 'DE89370400440532013000';
const CREATES_AT_ONCE = 32;
const READS_A_SECOND = 50;
/** Reads are measured in windows, before the file and until its end; the worst one counts. */
const WINDOW_SECONDS = 5;
const LONGEST_WAIT_MS = 300_000;
/** The largest statement that the service takes, and what a file here has at most. */
const LARGEST_BYTES = 25 * 1024 * 1024;
const FILE_BYTES = 26_000_000;
/** The longest free text of camt. */
const LONGEST_TEXT = 140;

const COLUMNS = `(payment_request_id, page_key, merchant_id, reference, account_id, amount_cents,
  currency, merchant_name, payment_link, qr_code_link, return_url, expires_at)`;
const VALUES = `$2, 2550, 'EUR', 'Bench', 'https://b', 'https://b', 'https://b',
  now() + interval '7 days'`;

interface Line {
  readonly open: number;
  readonly megabytes: number;
  /** The time begins with the first byte that is fetched. */
  readonly stagedSeconds: number;
  /** The processor time of the service in it, which other work on the machine hardly changes. */
  readonly stagedProcessorSeconds: number;
  /** The time begins with the end of staging, and ends once all money is reported. */
  readonly matchedSeconds: number;
  readonly memoryMb: number;
  readonly quietP99Ms: number;
  readonly readP99Ms: number;
}

const { serverUrl, isJson, numberOf, textOf } = readOptions();
const entries = numberOf('--entries', 7_000);
const isSftp = textOf('--way', 'folder') === 'sftp';
const lines: Line[] = [];
for (const open of textOf('--open', '10000,1000000').split(',').map(Number)) {
  lines.push(await measure(open));
}
const machine = describeMachine();
if (isJson) console.log(JSON.stringify({ machine, entries, lines }, null, 2));
else for (const line of lines) console.log(JSON.stringify(line));
process.exit();

async function measure(open: number): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bank-'));
  chmodSync(folder, 0o700);
  const remote = isSftp ? await startSftpBank() : null;
  remote?.put('/out', Buffer.alloc(0), FOLDER_MODE);
  const service = await startServiceUnderTest(serverUrl, {
    ENVIRONMENT: 'production',
    E_TRANSFER_NETWORK: 'bank-transfer',
    CURRENCY: 'EUR',
    ...(remote?.settings ?? { BANK_FILES_DIR: folder }),
  });
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const accountId = await addAccount(client, service.merchant.merchantId);
    // The first request shows that the account is used.
    const paid = await createMany(() => createPaymentRequest(service), Math.floor(entries / 2));
    const references = paid.map(() => newReference());
    await showTransfers(client, accountId, service.merchant.merchantId, paid, references);
    await showOthers(client, accountId, service.merchant.merchantId, open - paid.length);
    const file = statementOf(references);
    const read = readCall(service, paid[0]?.id ?? '');
    let windowsLeft = 3;
    const quietP99Ms = await worstP99(read, () => --windowsLeft > 0);
    const before = memoryOf(service.pid, 'VmRSS');
    let isOver = false;
    const reads = worstP99(read, () => !isOver);
    const begin = remote ? () => offer(remote, client, file) : () => deliver(folder, file);
    const times = await timesOf(client, service.pid, begin).finally(() => {
      isOver = true;
    });
    const memoryMb = (memoryOf(service.pid, 'VmHWM') - before) / 1_000;
    const megabytes = file.length / 1e6;
    return { open, megabytes, ...times, memoryMb, quietP99Ms, readP99Ms: await reads };
  } finally {
    await client.end();
    await service.end();
    await remote?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function addAccount(client: pg.Client, merchantId: string): Promise<string> {
  const id = randomUUID();
  await client.query('INSERT INTO creditor_account_keys VALUES ($1, $2)', [IBAN, merchantId]);
  await client.query(
    `INSERT INTO creditor_accounts (id, merchant_id, version, holder, account_number)
     VALUES ($1, $2, 1, 'Bench', $3)`,
    [id, merchantId, IBAN],
  );
  return id;
}

async function createMany<Made>(create: () => Promise<Made>, count: number): Promise<Made[]> {
  const made: Made[] = [];
  const work = async () => {
    while (made.length < count) made.push(await create());
  };
  await Promise.all(Array.from({ length: CREATES_AT_ONCE }, work));
  return made.slice(0, count);
}

function newReference(): string {
  const digits = randomBytes(8).readBigUInt64BE().toString().padStart(15, '0').slice(-15);
  return referenceOfDigits(digits);
}

async function showTransfers(
  client: pg.Client,
  accountId: string,
  merchantId: string,
  paid: readonly { readonly id: string }[],
  references: readonly string[],
): Promise<void> {
  await client.query(
    `INSERT INTO bank_transfer_requests ${COLUMNS}
     SELECT id, substr(md5(id::text), 1, 22), $1, reference, ${VALUES}
     FROM unnest($3::uuid[], $4::text[]) AS made (id, reference)`,
    [merchantId, accountId, paid.map(({ id }) => id), references],
  );
}

async function showOthers(
  client: pg.Client,
  accountId: string,
  merchantId: string,
  count: number,
): Promise<void> {
  await client.query(
    `INSERT INTO bank_transfer_requests ${COLUMNS}
     SELECT gen_random_uuid(), substr(md5('k' || n), 1, 22), $1,
       'RF00' || lpad(n::text, 17, '0'), ${VALUES}
     FROM generate_series(1, $3::int) AS n`,
    [merchantId, accountId, Math.max(0, count)],
  );
  await client.query('VACUUM ANALYZE bank_transfer_requests');
}

function statementOf(references: readonly string[]): Buffer {
  const bare = statementWith(references, 0);
  // A text of a letter has some 30 bytes around it.
  const room = Math.floor((FILE_BYTES - bare.length) / entries) - 40;
  const file = statementWith(references, Math.max(0, room));
  if (file.length > LARGEST_BYTES) throw new Error('So many entries are above 25 MB.');
  return file;
}

/** @param letters how many of free text an entry has, in texts of 140 at most */
function statementWith(references: readonly string[], letters: number): Buffer {
  const texts = Math.ceil(letters / (LONGEST_TEXT + 25));
  const text = Array.from({ length: texts }, () => 'x'.repeat(Math.floor(letters / texts) - 25));
  const statement = writeStatement({
    iban: IBAN,
    date: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    entries: Array.from({ length: entries }, (_, n) => ({
      amountCents: 2_550,
      bankReference: `BENCH-${n}`,
      debtorName: 'Ada Payer',
      debtorIban: 'FR1420041010050500013M02606',
      debtorAgent: 'BNPAFRPPXXX',
      ...(texts > 0 && { text }),
      ...(references[n] && { reference: references[n] }),
    })),
  });
  // Banks indent nothing.
  return Buffer.from(statement.toString().replaceAll(/>\n\s*</g, '><'));
}

/** The p99 of the worst window. */
async function worstP99(
  read: Parameters<typeof generateLoad>[0] | ReturnType<typeof readCall>,
  goesOn: () => boolean,
): Promise<number> {
  const windows: number[] = [];
  do {
    const burst = { ...read, connections: 8, seconds: WINDOW_SECONDS, rate: READS_A_SECOND };
    windows.push((await generateLoad(burst)).p99Ms);
  } while (goesOn());
  return Math.max(...windows);
}

/** @returns when the service could see the file */
async function deliver(folder: string, file: Buffer): Promise<number> {
  writeFileSync(join(folder, '.statement.part'), file);
  const start = performance.now();
  renameSync(join(folder, '.statement.part'), join(folder, 'statement.xml'));
  return start;
}

/** @returns when the service opened the file on the bank's server */
async function offer(remote: SftpBank, client: pg.Client, file: Buffer): Promise<number> {
  const opened = Promise.withResolvers<number>();
  remote.misdeed = (request) => {
    if (request === 'OPEN') opened.resolve(performance.now());
    return undefined;
  };
  remote.put('/out/statement.xml', file);
  await client.query('UPDATE bank_connections SET due_at = service_now()');
  return opened.promise;
}

async function timesOf(
  client: pg.Client,
  pid: number,
  begin: () => Promise<number>,
): Promise<Pick<Line, 'stagedSeconds' | 'stagedProcessorSeconds' | 'matchedSeconds'>> {
  const start = await begin();
  const processorStart = processorSecondsOf(pid);
  let staged: { readonly at: number; readonly processor: number } | null = null;
  while (performance.now() - start < LONGEST_WAIT_MS) {
    const { rows } = await client.query(
      `SELECT f.state, f.reason, EXISTS (SELECT FROM bank_movements
         WHERE reported_at IS NULL AND outcome <> 'WAITING') AS "hasUnreported" FROM bank_files f`,
    );
    const [row] = rows;
    if (row?.state === 'REFUSED') throw new Error(row.reason);
    if (row && row.state !== 'RECEIVED') {
      staged ??= { at: performance.now(), processor: processorSecondsOf(pid) };
    }
    if (staged !== null && row?.state === 'COMPLETE' && !row.hasUnreported) {
      const matchedSeconds = (performance.now() - staged.at) / 1_000;
      const stagedProcessorSeconds = staged.processor - processorStart;
      return {
        stagedSeconds: (staged.at - start) / 1_000,
        stagedProcessorSeconds,
        matchedSeconds,
      };
    }
    await wait(100);
  }
  throw new Error('The file was not reported in time.');
}

/** Linux counts in hundredths of a second, behind the name of the process in brackets. */
function processorSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** In kB, by the kernel. */
function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
}
