import type { Database } from '#database/database.ts';
import type { BankSettings } from '#lib/bank/bank-settings.ts';
import type { Clock } from '#lib/clock.ts';
import type { Environment } from '#lib/environment.ts';
import type { MailServer } from '#lib/mail/mail-server.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import type { UNTRUSTED_FORWARDERS } from '#telemetry/log/untrusted-forwarders.ts';

/** The settings and connections that the checks of `payreq doctor` use. */
export interface CheckDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly secretsKey: RotatingKey;
  readonly credentialsPepper: RotatingKey;
  readonly retentionEventsDays: number;
  readonly webhookRetryScheduleSeconds: readonly number[];
  readonly webhookCaFile: string | null;
  readonly bank: Pick<BankSettings, 'calendar' | 'connections'>;
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

export interface Check {
  readonly name: string;
  readonly run: (deps: CheckDeps) => Promise<Verdict>;
}

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

/** A check that stopped early is a fault, whatever the examined part showed. */
export function withStop(stopped: string | null, verdict: Verdict): Verdict {
  return stopped === null ? verdict : fault(`${verdict.message} ${stopped}`);
}
