import { sharedKeyOf } from './account-number.ts';

/** A folder of a bank's server, and the names in it that count. */
export interface RemoteFiles {
  readonly folder: string;
  /** `*` stands for any characters, `?` for one. */
  readonly pattern: string;
}

/** The act on a statement on the bank's server once the statement is staged. */
export type AfterFetch =
  | { readonly act: 'leave' | 'delete' }
  | { readonly act: 'move'; readonly folder: string };

/** An SFTP connection to a bank: the settings `BANK_SFTP_…` (bank-connection §1). */
export interface BankConnection {
  /** 1 for `BANK_SFTP_URL`, 2 for `BANK_SFTP_2_URL`. */
  readonly number: number;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Exactly one of key and password is there. */
  readonly key: string | null;
  readonly passphrase: string | null;
  readonly password: string | null;
  /** `SHA256:…`; several while a bank changes its key. */
  readonly hostKeys: readonly string[];
  /** By `sharedKeyOf`: IBANs, or `SCHEME:bank:number`; empty: no limit, and no file leaves. */
  readonly accounts: readonly string[];
  /** Statements first, then the reports about payment files. */
  readonly incoming: readonly RemoteFiles[];
  /** The folder that takes payment files; null: none. */
  readonly payments: string | null;
  /** `bank`: files leave without a person of this service. */
  readonly release: 'person' | 'bank';
  readonly after: AfterFetch;
  readonly everyMinutes: number;
}

/** The connection by which the account pays. */
export function payingConnection(
  connections: readonly BankConnection[],
  accountNumber: string,
): BankConnection | undefined {
  const account = sharedKeyOf(accountNumber);
  return connections.find((each) => each.payments !== null && each.accounts.includes(account));
}
