import {
  type ClientOptions,
  createClient,
  InvalidArgumentError,
  type ListenerCredentials,
} from '@payment-requests/sdk';

/** The options of the provider in `medusa-config`: the service's credentials.json. */
export interface ProviderOptions
  extends Pick<ClientOptions, 'baseUrl' | 'authUrl' | 'username' | 'password' | 'apiKey'> {
  /** The credentials of the webhook endpoint that leads to this shop. */
  readonly listener: ListenerCredentials;
  /** A text for the payer, such as the shop's name. */
  readonly displayMessage?: string;
  /** The end of a link in minutes, 5 to 525,600; default: that of the service, 24 hours. */
  readonly expiresAfterMinutes?: number;
}

/** Medusa's caller waits: a call without an answer ends after half a minute, and the token's. */
const RETRIES = 2;
const TIMEOUT_MS = 10_000;

/** @throws InvalidArgumentError that names the option */
export function clientOf(options: ProviderOptions): ReturnType<typeof createClient> {
  const { listener, expiresAfterMinutes: minutes } = options;
  for (const name of ['username', 'password', 'signingSecret'] as const) {
    if (!listener?.[name]?.length) throw new InvalidArgumentError(`listener.${name} is missing.`);
  }
  if (minutes !== undefined && !(minutes >= 5 && minutes <= 525_600)) {
    throw new InvalidArgumentError('expiresAfterMinutes must be from 5 to 525,600.');
  }
  return createClient({ timeoutMs: TIMEOUT_MS, maxRetries: RETRIES, ...clientPart(options) });
}

function clientPart({ baseUrl, authUrl, username, password, apiKey }: ProviderOptions) {
  return { baseUrl, authUrl, username, password, apiKey };
}
