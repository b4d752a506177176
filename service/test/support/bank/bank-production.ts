import assert from 'node:assert/strict';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AccountInput } from '#merchants/accounts/read-account.ts';
import { setAccount } from '#merchants/accounts/set-account.ts';
import { eventually } from '../eventually.ts';
import { createPayer } from '../payment-requests/payer.ts';
import { seeDebtors } from '../privacy/see-debtors.ts';
import {
  type CreatedLink,
  type Production,
  type ProductionOptions,
  startProduction,
} from '../service/production.ts';

export const HARBOUR_IBAN = 'DE89370400440532013000';

export interface TransferLink extends CreatedLink {
  /** The reference that the transfer page shows. */
  readonly reference: string;
}

export interface ListedCase {
  readonly kind: string;
  readonly paymentRequestId: string | null;
  readonly details: Record<string, unknown>;
}

export interface ListedEntry {
  readonly type: string;
  readonly amountCents: number;
}

/** A production service on bank transfer, whose merchant has an account. */
export interface BankProduction extends Production {
  readonly folder: string;
  /** A payment request of 100.00 EUR whose payer has opened the transfer page. */
  show(fields?: Readonly<Record<string, unknown>>): Promise<TransferLink>;
  /** Puts a file into the folder and waits until it is refused, or matched and reported. */
  deliver(bytes: Buffer): Promise<{ readonly state: string; readonly reason: string | null }>;
  setAccount(iban: string, holder?: string): Promise<void>;
  /** Sets an account without an IBAN, by the options of the command. */
  setOther(account: Omit<AccountInput, 'holder' | 'bic'> & { bic?: string }): Promise<void>;
  statusOf(id: string): Promise<string>;
  openCases(): Promise<readonly ListedCase[]>;
  /** The ledger, as `TYPE 12.34`, in the order of its entries. */
  ledger(): Promise<readonly string[]>;
  receivedCents(id: string): Promise<number>;
}

export async function startBankProduction(
  options: ProductionOptions & { readonly folder?: string } = {},
): Promise<BankProduction> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'bank-files-')));
  await chmod(folder, 0o700);
  const production = await startProduction({
    ...options,
    settings: {
      E_TRANSFER_NETWORK: 'bank-transfer',
      CURRENCY: 'EUR',
      BANK_FILES_DIR: folder,
      ...options.settings,
    },
  });
  const { service, merchant } = production;
  const { sql } = service.database;
  const deps = { db: service.database.db, clock: service.clock, actor: 'test' };
  const setAccountOf = async (iban: string, holder = 'Harbour Books GmbH') => {
    await setAccount(deps, merchant.merchantId, { holder, iban, bic: null });
  };
  await setAccountOf(HARBOUR_IBAN);

  return {
    ...production,
    folder,
    setAccount: setAccountOf,
    async setOther({ bic = null, ...account }) {
      const input = { ...account, holder: 'Harbour Books Ltd', bic };
      await setAccount(deps, merchant.merchantId, input);
    },
    async show(fields = {}) {
      const link = await production.createLink({ amount: 100, ...fields });
      const reference = await openTransferPage(production, link);
      return { ...link, reference };
    },
    async deliver(bytes) {
      seeDebtors(service.canaries, bytes);
      const [before] = await sql<{ n: number }>('SELECT count(*)::int AS n FROM bank_files');
      await putFile(folder, bytes);
      await service.advance(0);
      const sha = await digest(bytes);
      return eventually(async () => {
        const [file] = await sql<{ state: string; reason: string | null }>(
          'SELECT state, reason FROM bank_files WHERE sha256 = $1',
          [sha],
        );
        if (file?.state === 'REFUSED') return file;
        const [open] = await sql<{ n: number }>(
          `SELECT count(*)::int AS n FROM bank_movements
           WHERE reported_at IS NULL AND outcome <> 'WAITING'`,
        );
        return file?.state === 'COMPLETE' && open?.n === 0 ? file : undefined;
      }, `the file after ${before?.n} files`);
    },
    async statusOf(id) {
      return (await production.read(id)).status;
    },
    openCases: () =>
      sql<ListedCase>(
        `SELECT kind, payment_request_id AS "paymentRequestId", details
         FROM operator_cases WHERE closed_at IS NULL ORDER BY opened_at, kind`,
      ),
    async ledger() {
      const rows = await sql<ListedEntry>(
        `SELECT type, amount_cents::int AS "amountCents" FROM ledger_entries ORDER BY position`,
      );
      return rows.map(({ type, amountCents }) => `${type} ${(amountCents / 100).toFixed(2)}`);
    },
    async receivedCents(id) {
      const [row] = await sql<{ n: number }>(
        `SELECT received_cents::int AS n FROM bank_transfer_requests WHERE payment_request_id = $1`,
        [id],
      );
      assert.ok(row, 'the network knows the payment request');
      return row.n;
    },
    async stop() {
      await production.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openTransferPage({ service }: Production, link: CreatedLink): Promise<string> {
  await createPayer(service).request(link.paymentLink);
  return eventually(async () => {
    const [row] = await service.database.sql<{ reference: string }>(
      'SELECT reference FROM bank_transfer_requests WHERE payment_request_id = $1',
      [link.id],
    );
    return row?.reference;
  }, 'the transfer page');
}

const TICK_MS = 12;
let files = 0;

/** Renames a finished file in, as a careful fetcher does. */
export async function putFile(folder: string, bytes: Buffer, name?: string): Promise<void> {
  files += 1;
  const hidden = join(folder, `.fetching-${files}`);
  await writeFile(hidden, bytes);
  // A kernel counts time in ticks of up to 10 ms: the rename gets a later one.
  await wait(TICK_MS);
  await rename(hidden, join(folder, name ?? `statement-${files}.xml`));
}

async function digest(bytes: Buffer): Promise<Buffer> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes));
}
