import type { StatementKind } from '#e-transfer/bank-transfer/statements/statement.ts';

/** A statement file as a bank writes it; each member has a default. */
export interface FileOptions {
  readonly kind?: StatementKind;
  /** The version of the message, as in `camt.053.001.08`: it decides the names of elements. */
  readonly version?: number;
  readonly messageId?: string;
  readonly encoding?: 'UTF-8' | 'UTF-16LE' | 'ISO-8859-1';
  /** Written in front of each element, as some banks do: `ns2`. */
  readonly prefix?: string;
  readonly statements: readonly StatementOptions[];
}

export interface StatementOptions {
  /** An IBAN, or `SCHEME:bank:number`. */
  readonly iban: string;
  /** The bank that keeps the account: a BIC or a clearing id; null: the file does not say. */
  readonly servicer?: string | null;
  readonly currency?: string;
  readonly id?: string;
  readonly sequenceNumber?: number | string;
  /** The booking day of the balances, and of each entry that names none. */
  readonly date?: string;
  /** Signed cents. camt.053 requires balances: by default the entries add up. null: none. */
  readonly openingCents?: number | null;
  /** null: none. Default: opening and booked entries. */
  readonly closingCents?: number | null;
  readonly entries?: readonly EntryOptions[];
}

export interface PaymentOptions {
  /** null: the details state none. Default: the entry's. */
  readonly amountCents?: number | null;
  /** `Ccy` of the amount in the details. */
  readonly detailCurrency?: string;
  readonly detailDirection?: 'CREDIT' | 'DEBIT';
  /** `InstdAmt`, in the entry's currency. */
  readonly instructedCents?: number;
  /** `Chrgs` of the details. */
  readonly detailChargeCents?: number;
  readonly endToEndId?: string;
  /** `AcctSvcrRef` inside the details. */
  readonly bankReference?: string;
  /** An RF or QR reference in its own element. */
  readonly reference?: string;
  /** Free texts: each becomes a `Ustrd`. */
  readonly text?: string | readonly string[];
  readonly debtorName?: string;
  /** An IBAN, or `SCHEME:bank:number`. */
  readonly debtorIban?: string;
  /** The BIC of the debtor's bank. */
  readonly debtorAgent?: string;
  readonly creditorName?: string;
  readonly creditorIban?: string;
  /** A reason code, as in `AC04`; true: returned without a reason. */
  readonly returned?: string | true;
}

export interface EntryOptions extends PaymentOptions {
  readonly direction?: 'CREDIT' | 'DEBIT';
  readonly amountCents: number;
  readonly currency?: string;
  /** `BOOK`, `PDNG`, `INFO`, or `FUTR` where the version has it. */
  readonly status?: string;
  readonly isReversal?: boolean;
  readonly date?: string | null;
  /** An instant with its zone, instead of the day. */
  readonly bookedAt?: string;
  readonly valueDate?: string | null;
  /** `NtryRef`, into which Swiss banks write the QR-IBAN. */
  readonly entryReference?: string;
  /** `AcctSvcrRef` of the entry. */
  readonly bankReference?: string;
  readonly batchReference?: string;
  /** Several payments inside; else the entry's own members are its only payment. */
  readonly payments?: readonly PaymentOptions[];
  /** `Chrgs` of the entry. */
  readonly chargeCents?: number;
  /** `TxAmt` of the entry. */
  readonly transactionCents?: number;
  /** Leaves the details out: an entry of a batch. */
  readonly hasNoDetails?: boolean;
}
