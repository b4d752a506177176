import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { NETWORK_SETTINGS } from './compose/network-settings.ts';
import { calendarOf } from './lib/bank/bank-calendar.ts';
import { isLocalhost } from './lib/localhost.ts';
import { connectionsOf } from './settings/bank-connection-settings.ts';
import { faultsBetween, warningsBetween } from './settings/faults-between.ts';
import { faultsOfFailpoint } from './settings/faults-of-failpoint.ts';
import {
  describeUnknown,
  findUnknownInFile,
  findUnknownSettings,
  type UnknownSetting,
} from './settings/find-unknown-settings.ts';
import { FORMER, faultsOfFormerNames } from './settings/former-names.ts';
import { readSecretFile } from './settings/read-regular-file.ts';
import { camelCase, type Setting } from './settings/setting.ts';
import { SETTINGS, type SettingName } from './settings.ts';
import { IS_RELEASE } from './version.ts';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

type ValueOf<Name extends SettingName> = ReturnType<(typeof SETTINGS)[Name]['read']>;

type Read = { readonly [Name in SettingName as CamelCase<Name>]: ValueOf<Name> };

/** The configuration of this process: each setting in camelCase, read, checked and joined. */
export type Config = ReturnType<typeof joinSettings>;

/** Everything that is wrong with the configuration, each fault a sentence. Exit code 78. */
export class ConfigFaults extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigFaults';
    this.faults = faults;
  }
}

type MutableEnvironment = Record<string, string | undefined>;
type Environment = Readonly<MutableEnvironment>;

/** The environment of this process, for the command line to hand on. */
export function processEnvironment(): MutableEnvironment {
  return process.env;
}

/**
 * Reads and checks the whole configuration (contract §1).
 * @throws ConfigFaults with every fault at once.
 */
export function readConfig(env: Environment = process.env): Config {
  const { values, given, faults } = readValues(env);
  faults.push(...faultsBetween(values, given, NETWORK_SETTINGS));
  if (faults.length > 0) throw new ConfigFaults(faults);
  const read = Object.fromEntries([...values].map(([name, each]) => [camelCase(name), each]));
  return joinSettings(read as Read);
}

/** Sentences about settings that may be meant, and mostly are not: only a warning's worth. */
export function doubtfulSettings(env: Environment = process.env): readonly string[] {
  const { values, given } = readValues(env);
  return warningsBetween(values, given, NETWORK_SETTINGS);
}

/** The readable settings, the names of those that differ from their default, and every fault. */
function readValues(env: Environment) {
  const refusals = faultsOfFailpoint(env.FAILPOINT ?? '', {
    isRelease: IS_RELEASE,
    nodeEnv: env.NODE_ENV,
    environment: env.ENVIRONMENT,
  });
  const faults: string[] = [...refusals, ...faultsOfFormerNames(env)];
  const values = new Map<SettingName, unknown>();
  const given = new Set<string>();
  for (const [name, setting] of settings()) {
    if (name === 'FAILPOINT' && refusals.length > 0) continue;
    try {
      const text = textOf(env, name, setting) ?? setting.fallback;
      if (text !== undefined && text !== '' && text !== setting.fallback) given.add(name);
      if (text !== undefined) values.set(name, setting.read(text));
      else faults.push(`${name} is not set: ${setting.meaning}.`);
    } catch (error) {
      if (error instanceof ConfigFaults) faults.push(...error.faults);
      else faults.push(`${name} ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
  return { values, given, faults };
}

/** Joins the settings that belong together; the type of the configuration follows from it. */
function joinSettings({
  opsPort,
  maxAmount: maxAmountCents,
  refundsPerDay: refundsPerDayCents,
  approvals: isOn,
  approvalRefundsAbove: refundsAboveCents,
  allowSimulatedNetwork: _,
  bankFilesDir: filesDir,
  bankFilesKeep: keepDays,
  bankMaxAutomatic: maxAutomaticCents,
  bankRefundsDir: refundsDir,
  bankDemo: isDemo,
  bankProgramRelease: programRelease,
  bankCalendar,
  secretsKey,
  secretsKeyPrevious,
  credentialsPepper,
  credentialsPepperPrevious,
  ...rest
}: Read) {
  return Object.freeze({
    ...rest,
    opsPort: opsPort ?? (rest.port === 0 ? 0 : rest.port + 1),
    maxAmountCents,
    /** 0: refunds are off for new merchants. */
    refundsPerDayCents,
    approvals: Object.freeze({ isOn, refundsAboveCents }),
    bank: Object.freeze({
      ...{ filesDir, keepDays, maxAutomaticCents, refundsDir, programRelease, isDemo },
      connections: connectionsOf(rest),
      calendar: bankCalendar ?? calendarOf(rest.currency),
    }),
    /** Whether PUBLIC_API_URL is on localhost. */
    isLocal: isLocalhost(new URL(rest.publicApiUrl)),
    secretsKey: { current: secretsKey, previous: secretsKeyPrevious },
    credentialsPepper: { current: credentialsPepper, previous: credentialsPepperPrevious },
  });
}

/**
 * The text of a setting, read from `NAME_FILE` for a secret.
 *
 * @throws ConfigFaults for a file that cannot be read, and for two texts
 */
function textOf(
  env: Environment,
  name: string,
  { secret, isPrivate }: Setting<unknown>,
): string | undefined {
  const path = secret && env[fileNameOf(name)];
  if (path === undefined || path === '') return env[name];
  if (env[name] !== undefined) {
    throw new ConfigFaults([`${name} and ${fileNameOf(name)} are both set: keep one of them.`]);
  }
  try {
    return readSecretFile(path, isPrivate);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigFaults([`${fileNameOf(name)} ${reason}.`]);
  }
}

function fileNameOf(name: string): string {
  return `${name}_FILE`;
}

/** A line of `payreq config`: a secret's value is blanked. */
export interface SettingDescription {
  readonly name: SettingName;
  readonly value: string;
  readonly isDefault: boolean;
  readonly default: string | null;
  /** NAME_FILE, where the secret is read from a file. */
  readonly file: string | null;
  readonly meaning: string;
}

/** Describes each setting with its value, default and meaning; secrets are blanked. */
export function describeSettings(env: Environment = process.env): readonly SettingDescription[] {
  const known = settings().filter(([name, { isFurther }]) => !isFurther || env[name]);
  return known.map(([name, setting]) => {
    const file = (setting.secret && env[fileNameOf(name)]) || null;
    const text = env[name] ?? file ?? setting.fallback ?? '';
    return {
      name,
      value: setting.secret && text !== '' ? '********' : text,
      isDefault: env[name] === undefined && file === null,
      default: setting.fallback ?? null,
      file,
      meaning: setting.meaning,
    };
  });
}

export { describeUnknown };

/** Names in the environment that look like settings and are none; only a warning's worth. */
export function unknownSettings(env: Environment = process.env): readonly UnknownSetting[] {
  return findUnknownSettings(Object.keys(env), knownNames());
}

/**
 * Adds the settings of a file of NAME=value lines to `env`, whose own values win.
 *
 * @throws ConfigFaults for names that are no settings: the file is this service's own
 */
export function loadEnvFile(path: string, env: MutableEnvironment): void {
  const found = parseEnv(readFileSync(path, 'utf8'));
  const unknown = findUnknownInFile(Object.keys(found), knownNames());
  if (unknown.length > 0) {
    throw new ConfigFaults(unknown.map((each) => `${describeUnknown(each)} (in ${path}).`));
  }
  for (const [name, text] of Object.entries(found)) env[name] ??= text;
}

/** Every setting, and the name of the file that may hold a secret. */
function knownNames(): string[] {
  const names = settings().flatMap(([name, { secret }]) =>
    secret ? [name, fileNameOf(name)] : [name],
  );
  return [...names, ...FORMER];
}

function settings(): [SettingName, Setting<unknown>][] {
  return Object.entries(SETTINGS) as [SettingName, Setting<unknown>][];
}

/** The account that `sudo` was called from, for the audit log; undefined without `sudo`. */
export function sudoUser(env: Environment = process.env): string | undefined {
  return env.SUDO_USER;
}
