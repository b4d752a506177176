import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { ENVIRONMENTS, type Environment } from '#lib/environment.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { ListenerSecrets } from './post-webhook.ts';

/** The needs of a merchant's calls: the deployment's addresses and the merchant's credentials. */
export interface MerchantAccess {
  /** {base_url} and {auth_url}. */
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

export interface AccessOptions extends Partial<MerchantAccess> {
  readonly environment: Environment;
  readonly localDir: string;
}

export interface ListenerOptions extends Pick<AccessOptions, 'environment' | 'localDir'> {
  readonly listenerUsername?: string;
  readonly listenerPassword?: string;
  readonly signingSecret?: string;
}

interface LocalMerchant {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  readonly listener: ListenerSecrets;
}

type LocalCredentials = Readonly<Record<Environment, LocalMerchant>> & {
  readonly tls?: { readonly ca: string };
};

/** Adds the options that name a deployment's local state, where the rest is found by default. */
export function addLocalOptions(command: Command, invocation: Invocation): Command {
  command.addOption(
    new Option('--environment <name>', 'which of the local services is meant')
      .choices(ENVIRONMENTS)
      .default('sandbox'),
  );
  const localDir = new Option('--local-dir <path>', 'where npm start keeps credentials.json');
  return addFromEnvironment(command, invocation, localDir.default('.local'), 'LOCAL_DIR');
}

/** Adds the options by which a command works as a merchant, on any deployment. */
export function addAccessOptions(command: Command, invocation: Invocation): Command {
  addLocalOptions(command, invocation)
    .option('--api-url <url>', '{base_url} of a deployment other than the local one')
    .option('--auth-url <url>', '{auth_url}, the whole address of the token call');
  for (const name of ['username', 'password', 'api-key']) {
    addSecretOption(command, invocation, name, 'of the API credentials');
  }
  return command;
}

/** Adds the options that say what a listener expects to be shown. */
export function addListenerOptions(command: Command, invocation: Invocation): Command {
  for (const name of ['listener-username', 'listener-password']) {
    addSecretOption(command, invocation, name, 'of the listener');
  }
  const signingSecret = new Option('--signing-secret <whsec>', 'of the listener');
  return addFromEnvironment(command, invocation, signingSecret, 'PAYREQ_SIGNING_SECRET');
}

function addSecretOption(command: Command, invocation: Invocation, name: string, meaning: string) {
  const variable = `PAYREQ_${name.toUpperCase().replaceAll('-', '_')}`;
  addFromEnvironment(command, invocation, new Option(`--${name} <text>`, meaning), variable);
}

/**
 * Adds an option whose value may also stand in the invocation's environment. Commander's own `env`
 * would read the environment of the process.
 */
function addFromEnvironment(
  command: Command,
  { env }: Invocation,
  option: Option,
  variable: string,
): Command {
  option.description = `${option.description} (env: ${variable})`;
  command.addOption(option);
  const value = env[variable];
  if (value === undefined) return command;
  return command.setOptionValueWithSource(option.attributeName(), value, 'env');
}

/**
 * The access that the options give, or else that of the local merchant.
 * @throws OperatorFault where some of it is missing
 */
export async function readAccess(options: AccessOptions): Promise<MerchantAccess> {
  const { apiUrl, authUrl, username, password, apiKey } = options;
  const given = { apiUrl, authUrl, username, password, apiKey };
  const names = Object.keys(given) as (keyof MerchantAccess)[];
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length === 0) return given as MerchantAccess;
  if (missing.length < names.length) {
    throw new OperatorFault(
      'Give all of --api-url, --auth-url, --username, --password and --api-key, or none of them. ' +
        `Missing: ${missing.map(optionOf).join(', ')}.`,
    );
  }
  const { baseUrl, ...rest } = (await readLocal(options))[options.environment];
  return { ...rest, apiUrl: baseUrl };
}

/**
 * The credentials that the listener expects, from the options or else the local merchant's default.
 */
export async function readListener(options: ListenerOptions): Promise<ListenerSecrets> {
  const { listenerUsername, listenerPassword, signingSecret } = options;
  if (listenerUsername && listenerPassword && signingSecret) {
    return { username: listenerUsername, password: listenerPassword, signingSecret };
  }
  if (listenerUsername || listenerPassword || signingSecret) {
    throw new OperatorFault(
      'Give all of --listener-username, --listener-password and --signing-secret, or none.',
    );
  }
  return (await readLocal(options))[options.environment].listener;
}

/**
 * Reads as `readListener` does; null where no credentials are given and no local merchant is there.
 * @throws OperatorFault where some of the options are missing
 */
export async function findListener(options: ListenerOptions): Promise<ListenerSecrets | null> {
  const { listenerUsername, listenerPassword, signingSecret } = options;
  if (listenerUsername || listenerPassword || signingSecret) return readListener(options);
  return readListener(options).catch(() => null);
}

/** The certificate authority of the local services as PEM; null where there is none. */
export async function readLocalAuthority({ localDir }: { readonly localDir: string }) {
  try {
    const { tls } = await readLocal({ localDir });
    return tls ? await readFile(tls.ca, 'utf8') : null;
  } catch {
    return null;
  }
}

async function readLocal({ localDir }: { readonly localDir: string }): Promise<LocalCredentials> {
  const path = join(localDir, 'credentials.json');
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorFault(
      `No credentials were given, and ${path} cannot be read (${reason}). ` +
        'Run npm start, or see --help for the options.',
    );
  }
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
