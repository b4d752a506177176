import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CredentialEnvironment } from '../errors/credential-environment.ts';
import type { ListenerSecrets } from './post-webhook.ts';
import { fromEnvironment, option, ToolFault, type ToolInput, type ToolValues } from './tool.ts';

/** The needs of a merchant's calls: the deployment's addresses and the merchant's credentials. */
export interface MerchantAccess {
  /** {base_url} and {auth_url}. */
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
}

const environment: ToolInput<CredentialEnvironment> = {
  placeholder: '<name>',
  summary: 'which of the local services is meant',
  choices: ['sandbox', 'production'],
  usual: 'sandbox',
};

const localDir: ToolInput<string> = {
  placeholder: '<path>',
  summary: 'where npm start keeps credentials.json (env: LOCAL_DIR)',
  variable: 'LOCAL_DIR',
  usual: '.local',
};

/** The options that name a deployment's local state, where the rest is found by default. */
export const LOCAL_INPUTS = { environment, localDir };

/** The options by which a tool works as a merchant, on any deployment. */
export const ACCESS_INPUTS = {
  ...LOCAL_INPUTS,
  apiUrl: option('<url>', '{base_url} of a deployment other than the local one'),
  authUrl: option('<url>', '{auth_url}, the whole address of the token call'),
  username: fromEnvironment('PAYREQ_USERNAME', '<text>', 'of the API credentials'),
  password: fromEnvironment('PAYREQ_PASSWORD', '<text>', 'of the API credentials'),
  apiKey: fromEnvironment('PAYREQ_API_KEY', '<text>', 'of the API credentials'),
};

/** The options that say what a listener expects. */
export const LISTENER_INPUTS = {
  listenerUsername: fromEnvironment('PAYREQ_LISTENER_USERNAME', '<text>', 'of the listener'),
  listenerPassword: fromEnvironment('PAYREQ_LISTENER_PASSWORD', '<text>', 'of the listener'),
  signingSecret: fromEnvironment('PAYREQ_SIGNING_SECRET', '<whsec>', 'of the listener'),
};

type LocalOptions = ToolValues<typeof LOCAL_INPUTS>;
export type AccessOptions = ToolValues<typeof ACCESS_INPUTS>;
type ListenerOptions = LocalOptions & ToolValues<typeof LISTENER_INPUTS>;

interface LocalMerchant {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  readonly listener: ListenerSecrets;
}

type LocalCredentials = Readonly<Record<CredentialEnvironment, LocalMerchant>> & {
  readonly tls?: { readonly ca: string };
};

/**
 * The access that the options give, or else that of the local merchant.
 * @throws ToolFault where some of it is missing
 */
export async function readAccess(options: AccessOptions): Promise<MerchantAccess> {
  const { apiUrl, authUrl, username, password, apiKey } = options;
  if (
    apiUrl !== null &&
    authUrl !== null &&
    username !== null &&
    password !== null &&
    apiKey !== null
  ) {
    return { apiUrl, authUrl, username, password, apiKey };
  }
  const given = Object.entries({ apiUrl, authUrl, username, password, apiKey });
  const missing = given.filter(([, value]) => value === null).map(([name]) => name);
  if (missing.length < given.length) {
    throw new ToolFault(
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
    throw new ToolFault(
      'Give all of --listener-username, --listener-password and --signing-secret, or none.',
    );
  }
  return (await readLocal(options))[options.environment].listener;
}

/**
 * Reads as `readListener` does; null where no credentials are given and no local merchant is there.
 * @throws ToolFault where some of the options are missing
 */
export async function findListener(options: ListenerOptions): Promise<ListenerSecrets | null> {
  const { listenerUsername, listenerPassword, signingSecret } = options;
  if (listenerUsername || listenerPassword || signingSecret) return readListener(options);
  return readListener(options).catch(() => null);
}

/** The certificate authority of the local services as PEM; null where there is none. */
export async function readLocalAuthority({ localDir }: Pick<LocalOptions, 'localDir'>) {
  try {
    const { tls } = await readLocal({ localDir });
    return tls ? await readFile(tls.ca, 'utf8') : null;
  } catch {
    return null;
  }
}

async function readLocal({ localDir }: Pick<LocalOptions, 'localDir'>): Promise<LocalCredentials> {
  const path = join(localDir, 'credentials.json');
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolFault(
      `No credentials were given, and ${path} cannot be read (${reason}). ` +
        'Run npm start, or see --help for the options.',
    );
  }
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
