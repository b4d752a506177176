import type { NetworkSettings } from '#e-transfer/network-settings.ts';

/** Settings by name, without the unreadable ones. */
export type SettingValues = ReadonlyMap<string, unknown>;

/** Settings that do nothing without another one. */
interface Dependents {
  readonly needs: string;
  /** The value that they need; absent: any. */
  readonly value?: string | boolean;
  /** The effect that is missing without it. */
  readonly effect: string;
  /** They can only be the half of an edit. */
  readonly refused: readonly string[];
  /** A value that is tuned may stay while its feature is off. */
  readonly warned: readonly string[];
}

/** Add a setting here that needs another one; a network states its own. */
const TABLE: readonly Dependents[] = [
  {
    needs: 'MAIL_SMTP_URL',
    effect: 'no e-mail leaves',
    refused: [
      'MAIL_FROM',
      'MAIL_DKIM_KEY',
      'MAIL_DKIM_SELECTOR',
      'MAIL_SANDBOX_RECIPIENTS',
      'MAIL_BOUNCE_DOMAIN',
    ],
    warned: ['MAIL_RATE', 'MAIL_HOURLY_LIMIT'],
  },
  {
    needs: 'MAIL_BOUNCE_DOMAIN',
    effect: 'no mail comes back to the service',
    refused: ['MAIL_BOUNCE_DIR'],
    warned: ['MAIL_BOUNCE_PORT', 'MAIL_BOUNCE_HOST'],
  },
  {
    needs: 'MAIL_DKIM_KEY',
    effect: 'nothing is signed',
    refused: ['MAIL_DKIM_SELECTOR'],
    warned: [],
  },
  {
    needs: 'MAIL_DKIM_SELECTOR',
    effect: 'nobody could verify the signature',
    refused: ['MAIL_DKIM_KEY'],
    warned: [],
  },
  {
    needs: 'SMS_URL',
    effect: 'no SMS leaves',
    refused: ['SMS_CA_FILE', 'SMS_TOKEN', 'SMS_RECEIPT_TOKEN'],
    warned: [],
  },
  {
    needs: 'SMS_TOKEN',
    effect: 'the relay could not tell the service from strangers',
    refused: ['SMS_URL'],
    warned: [],
  },
  {
    needs: 'CONSOLE_OIDC_ISSUER',
    effect: 'no identity provider signs people in',
    refused: ['CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET', 'CONSOLE_ROLES'],
    warned: ['CONSOLE_OIDC_SCOPES', 'CONSOLE_ROLES_CLAIM'],
  },
  {
    needs: 'DATABASE_REPLICA_URL',
    effect: 'no replica is read',
    refused: [],
    warned: ['DATABASE_REPLICA_LAG'],
  },
  {
    needs: 'APPROVALS',
    value: true,
    effect: 'no refund needs two people',
    refused: [],
    warned: ['APPROVAL_REFUNDS_ABOVE'],
  },
  {
    needs: 'ENVIRONMENT',
    value: 'production',
    effect: 'the sandbox has no network',
    refused: [],
    warned: ['E_TRANSFER_NETWORK'],
  },
  {
    needs: 'ENVIRONMENT',
    value: 'production',
    effect: 'the sandbox sends no SMS outside',
    refused: [],
    warned: ['SMS_URL'],
  },
];

/** Settings with a text that differs from the default. */
export type GivenSettings = ReadonlySet<string>;

/** Faults of settings that do nothing without another setting, among the readable settings. */
export function faultsOfHalfSet(
  values: SettingValues,
  given: GivenSettings,
  networks: readonly NetworkSettings[],
): string[] {
  return sentences(values, given, networks, ({ refused }) => refused, 'Set both, or neither');
}

/** Warnings of tuned values that do nothing now. */
export function warningsOfHalfSet(
  values: SettingValues,
  given: GivenSettings,
  networks: readonly NetworkSettings[],
): string[] {
  return sentences(values, given, networks, ({ warned }) => warned, 'The setting has no effect');
}

function sentences(
  values: SettingValues,
  given: GivenSettings,
  networks: readonly NetworkSettings[],
  namesOf: (dependents: Dependents) => readonly string[],
  end: string,
): string[] {
  const ofNetworks = networks.map(({ name, ...own }) => ({
    ...own,
    needs: 'E_TRANSFER_NETWORK',
    value: name,
  }));
  const rows = [...TABLE, ...ofNetworks].filter((row) => isMissing(row, values));
  return rows.flatMap((dependents: Dependents) => {
    const { needs, value, effect } = dependents;
    const missing = value === undefined ? 'set' : value === true ? 'yes' : value;
    return namesOf(dependents)
      .filter((name) => given.has(name) && values.has(name))
      .map((name) => `${name} is set, and ${needs} is not ${missing}: ${effect}. ${end}.`);
  });
}

/** An unreadable setting is a fault of its own. */
function isMissing({ needs, value }: Dependents, values: SettingValues): boolean {
  if (!values.has(needs)) return false;
  const found = values.get(needs);
  return value === undefined ? found === null || found === '' : found !== value;
}
