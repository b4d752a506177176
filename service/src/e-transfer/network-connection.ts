import type { Executor } from '#database/database.ts';

/** A connection as its last round left it; the times are the database's. */
export interface ConnectionRow {
  readonly number: number;
  readonly isRunning: boolean;
  readonly roundAt: Date | null;
  readonly goodAt: Date | null;
  readonly dueAt: Date;
  /** The kind of the fault of the last round, and its sentence; null: the round was good. */
  readonly fault: string | null;
  readonly reason: string | null;
  /** Files on the server that count. */
  readonly filesThere: number;
  /** Since the last good round, or since the next one was due; 0: it is not due yet. */
  readonly badSeconds: number;
  /** No process has looked at it for two days: it may be no longer in the settings. */
  readonly isUnread: boolean;
}

/** A name on a bank's server that was tried. */
export interface TriedRow {
  readonly id: string;
  readonly connection: number;
  readonly name: string;
  readonly sizeBytes: number;
  /** PART: entries of some of its accounts do not count. */
  readonly verdict: 'TAKEN' | 'PART' | 'REFUSED' | 'FAILED';
  readonly reason: string | null;
  readonly fileId: string | null;
  readonly triedAt: Date;
}

/** The way of a payment file that a program takes to the bank: the connections begin at 1. */
export const PROGRAM_WAY = 0;

/** The way of a payment file. */
export interface PaymentFileRow {
  readonly messageId: string;
  readonly account: string;
  readonly refunds: number;
  readonly totalCents: number;
  /** A person works through a list: no connection takes it. */
  readonly isList: boolean;
  readonly createdAt: Date;
  /** null: by a folder of this machine; `PROGRAM_WAY`: by a program with a token. */
  readonly connection: number | null;
  readonly state: 'WAITING' | 'RELEASED' | 'UNCLEAR' | 'SENT';
  /** null, but for UNCLEAR. */
  readonly reason: string | null;
  /** Whether the first byte may have left. */
  readonly hasBegun: boolean;
  /** Refunds of a file that has not left, which ended meanwhile: the file would pay them. */
  readonly refundsOver: number;
  /** The people who asked for an act, as `release:ada`. */
  readonly askedBy: readonly string[];
}

/** A payment of a file, for the person who lets the file leave. */
export interface LargestPayment {
  readonly amountCents: number;
  readonly name: string | null;
  readonly account: string;
}

/** An act of a person on a payment file. */
export type FileAct =
  | { readonly act: 'release' | 'settle-as-sent' | 'settle-as-lost' }
  /** null: the folder of this machine. */
  | { readonly act: 'set-way'; readonly connection: number | null };

/** The person who asks. */
export interface FileActor {
  readonly actor: string;
  /** Whether an identity provider says who it is: with two people, the second must be known. */
  readonly isProven: boolean;
}

export interface FileActPolicy {
  /** `APPROVALS`: two people stand behind each act. */
  readonly needsTwo: boolean;
  /** Records the act, in its transaction. */
  readonly audit: (
    tx: Executor,
    action:
      | 'BANK_PAYMENT_FILE_ASKED'
      | 'BANK_PAYMENT_FILE_ACT'
      | 'BANK_TOKEN_CREATED'
      | 'BANK_TOKEN_APPROVED'
      | 'BANK_TOKEN_REVOKED'
      | 'BANK_FILE_UPLOADED',
    details: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
}

export const TOKEN_SCOPES = ['bank-files/write', 'payment-files/send'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** The token of a program; the secret itself is stored nowhere. */
export interface TokenRow {
  readonly id: string;
  readonly scope: TokenScope;
  /** Keys of accounts. */
  readonly accounts: readonly string[];
  /** CIDRs; empty: every address. */
  readonly sources: readonly string[];
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly state: 'ACTIVE' | 'UNAPPROVED' | 'EXPIRED' | 'REVOKED';
}

/** The connections to banks and the payment files on their way, for the console. */
export interface NetworkConnection {
  read(): Promise<{
    readonly connections: readonly ConnectionRow[];
    /** The latest names, and the payment files: those first that have not left. */
    readonly tried: readonly TriedRow[];
    readonly payments: readonly PaymentFileRow[];
    /** Tokens of programs, the newest first. */
    readonly tokens: readonly TokenRow[];
  }>;
  file(messageId: string): Promise<PaymentFileRow | null>;
  /** The three largest payments of a file. */
  largest(messageId: string): Promise<readonly LargestPayment[]>;
  /** Lets the next round begin within seconds. */
  askForRound(number: number): Promise<boolean>;
  /** Takes a file of a bank from a person, as every way does. @returns the id of the file */
  upload(bytes: Buffer): Promise<string>;
  /** Approves a token as its second person. @throws FileActRefused */
  approveToken(id: string, by: FileActor, audit: FileActPolicy['audit']): Promise<void>;
  /**
   * @returns ASKED: another person must ask for the same
   * @throws FileActRefused
   */
  act(
    messageId: string,
    asked: FileAct,
    by: FileActor,
    policy: FileActPolicy,
  ): Promise<'DONE' | 'ASKED'>;
}
