import { loadEnvFile as loadIntoProcess } from 'node:process';
import { SETTINGS, type Setting, type SettingName } from './settings.ts';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>;

type ValueOf<Name extends SettingName> = ReturnType<(typeof SETTINGS)[Name]['read']>;

type Read = { readonly [Name in SettingName as CamelCase<Name>]: ValueOf<Name> };

/** What is in force in this process: each setting in camelCase, read and checked. */
export type Config = Omit<Read, 'opsPort' | 'maxAmount' | 'allowSimulatedNetwork'> & {
  readonly opsPort: number;
  /** MAX_AMOUNT, in cents. */
  readonly maxAmountCents: number;
};

/** Everything that is wrong with the configuration, each fault a sentence. Exit code 78. */
export class ConfigFaults extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigFaults';
    this.faults = faults;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the whole configuration (contract §1).
 * @throws ConfigFaults with every fault at once.
 */
export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = [];
  const values = new Map<SettingName, unknown>();
  for (const [name, setting] of settings()) {
    const text = env[name] ?? setting.fallback;
    if (text === undefined) {
      faults.push(`${name} is not set: ${setting.meaning}.`);
      continue;
    }
    try {
      values.set(name, setting.read(text));
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
  faults.push(...faultsBetween(values));
  if (faults.length > 0) throw new ConfigFaults(faults);
  const entries = [...values].map(([name, value]) => [camelCase(name), value]);
  const { maxAmount, allowSimulatedNetwork: _, ...rest } = Object.fromEntries(entries);
  const opsPort = rest.opsPort ?? (rest.port === 0 ? 0 : rest.port + 1);
  return Object.freeze({ ...rest, opsPort, maxAmountCents: maxAmount }) as Config;
}

/** One line of `payreq config`: a secret's value is blanked. */
export interface SettingDescription {
  readonly name: SettingName;
  readonly value: string;
  readonly isDefault: boolean;
  readonly default: string | null;
  readonly meaning: string;
}

/** What is in force, setting by setting, with default and meaning; secrets blanked. */
export function describeSettings(env: Environment = process.env): readonly SettingDescription[] {
  return settings().map(([name, setting]) => {
    const text = env[name] ?? setting.fallback ?? '';
    return {
      name,
      value: setting.secret && text !== '' ? '********' : text,
      isDefault: env[name] === undefined,
      default: setting.fallback ?? null,
      meaning: setting.meaning,
    };
  });
}

/** Adds the settings of a file of NAME=value lines; what the environment already has wins. */
export function loadEnvFile(path: string): void {
  loadIntoProcess(path);
}

function settings(): [SettingName, Setting<unknown>][] {
  return Object.entries(SETTINGS) as [SettingName, Setting<unknown>][];
}

/** Faults that no setting has alone (contract §1, E_TRANSFER_NETWORK). */
function faultsBetween(values: ReadonlyMap<SettingName, unknown>): string[] {
  const network = values.get('E_TRANSFER_NETWORK');
  if (values.get('ENVIRONMENT') !== 'production') return [];
  if (network === null) {
    return ['E_TRANSFER_NETWORK is not set: a production deployment must name its network.'];
  }
  if (network === 'simulated' && values.get('ALLOW_SIMULATED_NETWORK') !== true) {
    return [
      'E_TRANSFER_NETWORK is simulated, on which anybody can "pay" without money moving: ' +
        'that also needs ALLOW_SIMULATED_NETWORK=yes.',
    ];
  }
  return [];
}

function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
