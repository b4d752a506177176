import type { LoopTurn } from '#lib/loop.ts';
import type { OnboardingDeps } from '#merchants/onboard-merchant.ts';
import type { SharedReadings } from '#telemetry/metrics/database-gauges.ts';

/** The needs of the pages for operators. */
export interface OperatorPageDeps
  extends Required<
    Pick<OnboardingDeps, 'secretsKey' | 'checkWebhookUrl' | 'isLocal' | 'refundsPerDayCents'>
  > {
  /** Payers transfer money to merchants' own accounts: the pages show accounts. */
  readonly hasAccounts: boolean;
  /** The version of this service. */
  readonly version: string;
  /** The last turn of each background loop of this process. */
  readonly loops: () => readonly LoopTurn[];
  /** The gauges of the database, read at most once in 5 s. */
  readonly readGauges: SharedReadings;
  /** Why this process accepts no work now; null: it does. */
  readonly unreadyBecause: () => Promise<string | null>;
}
