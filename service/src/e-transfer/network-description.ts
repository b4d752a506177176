import type { FastifyInstance } from 'fastify';
import type { DatabaseDeps, Executor } from '#database/database.ts';
import type { BankSettings } from '#lib/bank/bank-settings.ts';
import type { DatabaseReading } from '#telemetry/metrics/database-gauges.ts';
import type { MakeNetwork } from './e-transfer-network.ts';
import type { NetworkStatements } from './network-statements.ts';

/** The needs of the calls of programs; a process without the network has them, too. */
export interface ProgramSurroundings extends DatabaseDeps {
  /** TRUSTED_PROXIES */
  readonly trustedProxies: readonly string[];
}

export type RegisterPrograms = (app: FastifyInstance, deps: ProgramSurroundings) => void;

/**
 * The facts that this service uses of a network without running it. Each network has one
 * description in its folder, and one line in `compose/networks.ts`. An optional part is a
 * capability: its absence switches the feature off.
 *
 * `Settings` is the part of the configuration that the network reads.
 */
export interface NetworkDescription<Settings> {
  /** No real money moves: readiness, log and pages say so (contract §1). */
  isSimulated(settings: Settings): boolean;
  /** Whether the running network has `refunds`; commands ask it, which run no network. */
  canRefund(settings: Settings): boolean;
  /**
   * Those of the paid payment requests whose money came from no account to which it could go back:
   * a refund is refused. Absent: a refund fails later.
   */
  findUnpayable?(
    db: Executor,
    settings: Settings,
    paymentRequestIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Loads the code of the network; only a process on this network does. */
  load(settings: Settings): Promise<MakeNetwork>;
  /** Sentences that stop the start; absent: nothing is checked. */
  findFaults?(settings: Settings, db: Executor): Promise<readonly string[]>;
  /** Loads the calls of programs at the operators' listener; absent: there are none. */
  programs?(settings: Settings): Promise<RegisterPrograms>;
  /** absent: payers send money to no account of a merchant. */
  readonly accounts?: NetworkAccounts;
  /** absent: the network answers questions itself. */
  readonly statements?: NetworkStatements;
  /** Its gauges. Every database has them: an earlier network may have left rows. */
  readings?(settings: {
    readonly bank: Pick<BankSettings, 'calendar'>;
  }): readonly DatabaseReading[];
  /** The work of its loops, for the doctor. */
  readonly steps: readonly LoopStep[];
  /** Erases texts about payers, in every database; open refunds and cases still need accounts. */
  eraseTexts(tx: Executor, paymentRequestIds: readonly string[]): Promise<void>;
  /** Erases names and account numbers of payers; no refund or case is open. */
  eraseAccounts?(tx: Executor, paymentRequestIds: readonly string[]): Promise<void>;
}

/** The merchants' accounts to which payers of the network send money. */
export interface NetworkAccounts {
  /**
   * Those of the payment requests whose pages show the account on which the money under the network
   * reference moved.
   */
  findShowing(
    db: Executor,
    networkReference: string,
    paymentRequestIds: readonly string[],
  ): Promise<readonly string[]>;
}

/** Work that a loop does at its time; a claim puts the time off. */
export interface LoopStep {
  /** Names the work, before its id. */
  readonly name: string;
  readonly id: string;
  readonly table: string;
  /**
   * Absent: every row with a time. Each condition has a partial index, so that a look costs by the
   * steps that are left.
   */
  readonly isLeft?: string;
  readonly dueAt: string;
}
