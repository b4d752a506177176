import type { CallHooks } from './call-hooks.ts';
import { checkCallOptions } from './calls/check-options.ts';
import type { Clock } from './clock.ts';
import { environmentOf } from './errors/credential-environment.ts';
import { InvalidArgumentError } from './errors/invalid-argument-error.ts';

/**
 * The options of a client. The hooks `onRequest` and `onResponse` see every attempt without its
 * secrets; a hook that throws changes no call.
 */
export interface ClientOptions extends CallHooks {
  /** {base_url}, for example `https://pay.example.com/v1`. */
  readonly baseUrl: string;
  /** {auth_url}: the complete URL of the token call. */
  readonly authUrl: string;
  readonly username: string;
  readonly password: string;
  readonly apiKey: string;
  /** The limit of one attempt, until its answer is read completely; default 15 seconds. */
  readonly timeoutMs?: number | undefined;
  /** The limit of retries after a transient failure, 0 to 10; default 4. */
  readonly maxRetries?: number | undefined;
  /** Replaces the global `fetch`, for a proxy or a test. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Replaces the system's time, for a test. */
  readonly clock?: Clock | undefined;
}

const NEEDED = ['baseUrl', 'authUrl', 'username', 'password', 'apiKey'] as const;

/** @throws InvalidArgumentError for an option that is missing or out of range */
export function checkClientOptions(options: ClientOptions): void {
  for (const name of NEEDED) {
    if (typeof options[name] !== 'string' || options[name] === '') {
      throw new InvalidArgumentError(`createClient needs ${name}.`);
    }
  }
  const { timeoutMs, maxRetries, baseUrl, authUrl, username, apiKey } = options;
  checkUrl('baseUrl', baseUrl);
  checkUrl('authUrl', authUrl);
  // `fetch` would refuse such a header at each attempt, and its error shows the whole value.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new InvalidArgumentError('apiKey has a blank or a character that no header can hold.');
  }
  checkCallOptions({ timeoutMs, retries: maxRetries }, 'maxRetries');
  const [ofUsername, ofKey] = [environmentOf(username), environmentOf(apiKey)];
  if (ofUsername && ofKey && ofUsername !== ofKey) {
    throw new InvalidArgumentError(
      `username is a credential of ${ofUsername}, apiKey of ${ofKey}: ` +
        'take both from one environment.',
    );
  }
}

/** @throws InvalidArgumentError for a URL that no call can be sent to; it does not show the URL */
function checkUrl(name: 'baseUrl' | 'authUrl', text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new InvalidArgumentError(`${name} is no whole URL, such as https://pay.example.com/v1.`);
  }
  // `fetch` takes no such URL, and its error shows the password.
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError(`${name} holds a user name or password. Leave both out.`);
  }
}
