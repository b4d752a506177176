import type { DatabaseDeps } from '#database/database.ts';
import type { BankSettings } from '#lib/bank/bank-settings.ts';
import type { Environment } from '#lib/environment.ts';
import type { MailServer } from '#lib/mail/mail-server.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { UNTRUSTED_FORWARDERS } from '#telemetry/log/untrusted-forwarders.ts';
import type { Found } from './found-store.ts';

/** The settings and connections that the checks of `payreq doctor` use. */
export interface CheckDeps extends DatabaseDeps {
  readonly environment: Environment;
  readonly secretsKey: RotatingKey;
  readonly credentialsPepper: RotatingKey;
  readonly retentionEventsDays: number;
  readonly webhookRetryScheduleSeconds: readonly number[];
  readonly webhookCaFile: string | null;
  readonly bank: Pick<BankSettings, 'calendar' | 'connections' | 'programRelease'>;
  readonly approvals: { readonly isOn: boolean };
  readonly mailSmtpUrl: MailServer | null;
  readonly trustedProxies: readonly string[];
  readonly untrustedForwarders: (typeof UNTRUSTED_FORWARDERS)[number];
  readonly runtimeRole: string | null;
  /** Tells how far a long check is, as in `40000 payment requests`. */
  readonly showProgress: (message: string) => void;
}

/** The result of a check, in a sentence that says what to do. */
export interface Verdict {
  readonly ok: boolean;
  /** The deployment works, but an operator should change something. */
  readonly warning?: true;
  readonly message: string;
}

/** Checks by their names, in their order. */
export type Checks = Readonly<Record<string, (deps: CheckDeps) => Promise<Verdict>>>;

export function fine(message: string): Verdict {
  return { ok: true, message };
}

export function warning(message: string): Verdict {
  return { ok: true, warning: true, message };
}

export function fault(message: string): Verdict {
  return { ok: false, message };
}

/** A reader of a report follows up a few examples first. */
const MOST_EXAMPLES = 5;

/** The first examples of `total` identifiers. */
export function examplesOf(ids: readonly string[], total = ids.length): string {
  const shown = ids.slice(0, MOST_EXAMPLES);
  const rest = total - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

/** The examples of rows that were found. */
export function examplesIn({ count, examples }: Found): string {
  return examplesOf(examples ?? [], count);
}

/** The verdict on rows of which none should be there. @param told makes the fault of examples */
export function verdictOnFound(
  found: Found,
  none: string,
  told: (examples: string) => string,
): Verdict {
  return found.count === 0 ? fine(none) : fault(told(examplesIn(found)));
}

/** The verdict of several faults and warnings. @param none the sentence where there is none */
export function verdictOf(
  faults: readonly string[],
  none: string,
  warnings: readonly string[] = [],
): Verdict {
  const told = [...faults, ...warnings].join(' ');
  if (faults.length > 0) return fault(told);
  return warnings.length > 0 ? warning(told) : fine(none);
}

/** A check that stopped early is a fault, whatever the examined part showed. */
export function withStop(stopped: string | null, verdict: Verdict): Verdict {
  return stopped === null ? verdict : fault(`${verdict.message} ${stopped}`);
}
