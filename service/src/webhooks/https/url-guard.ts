import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isForbiddenAddress } from './forbidden-addresses.ts';
import { createNameResolver, type ResolveName } from './resolve-name.ts';

/** The contract's limit for a URL; the normalised form is what is stored and sent. */
const LONGEST_URL = 2048;
/** A name may have hundreds of addresses: all are validated, a few are enough to connect to. */
const MOST_ADDRESSES = 16;
/** RFC 3986 §3.2.1, an empty one too: WHATWG parsing drops the `@` of `https://@host/`. */
const USER_INFO = /^[a-z]+:\/*[^/?#]*@/i;

export type GuardRefusal =
  | 'FORBIDDEN_URL'
  | 'FORBIDDEN_ADDRESS'
  | 'NAME_NOT_RESOLVED'
  | 'NAME_TIMED_OUT';

export type UrlCheck =
  | { readonly allowed: true; readonly url: URL; readonly addresses: readonly string[] }
  | {
      readonly allowed: false;
      readonly refusal: GuardRefusal;
      /** A sentence for who gave the URL; it names no address, which a caller might fish for. */
      readonly reason: string;
    };

export type WebhookUrlGuard = ReturnType<typeof createWebhookUrlGuard>;

export interface GuardOptions {
  /** WEBHOOK_ALLOW_CIDRS: non-public ranges that may still be reached. */
  readonly allowCidrs: readonly string[];
  /** WEBHOOK_ALLOW_PORTS. */
  readonly allowPorts: '*' | readonly number[];
  /** WEBHOOK_RESOLVERS; the system's when empty. */
  readonly resolvers: readonly string[];
  readonly resolveName?: ResolveName;
  readonly ownAddresses?: () => readonly string[];
}

/**
 * Makes the one guard against server-side request forgery (delivery §4): used when
 * a URL is saved and for each new connection of a delivery.
 */
export function createWebhookUrlGuard(options: GuardOptions) {
  const {
    allowCidrs,
    allowPorts,
    resolveName = createNameResolver({ servers: options.resolvers }),
    ownAddresses = readOwnAddresses,
  } = options;

  return {
    /** The part of the verdict that needs no network. `addresses` stays empty. */
    read: (url: string) => readUrl(url, allowPorts),
    /**
     * The whole verdict. For `save`, a name that cannot be resolved now is accepted, without
     * addresses: each delivery validates the name again. For `deliver`, it is refused.
     */
    async check(text: string, purpose: 'save' | 'deliver') {
      const read = readUrl(text, allowPorts);
      if (!read.allowed) return read;
      const host = read.url.hostname.replace(/^\[|\]$/g, '');
      const resolution =
        isIP(host) === 0 ? await resolveName(host) : { found: true as const, addresses: [host] };
      if (!resolution.found) {
        if (purpose === 'save') return read;
        return resolution.timedOut
          ? refuse('NAME_TIMED_OUT', 'has a name whose servers did not answer in time')
          : refuse('NAME_NOT_RESOLVED', 'has a name that leads to no address');
      }
      const rules = { allowCidrs, ownAddresses: ownAddresses() };
      if (resolution.addresses.some((address) => isForbiddenAddress(address, rules))) {
        return refuse('FORBIDDEN_ADDRESS', 'leads to an address that is not public');
      }
      return { ...read, addresses: resolution.addresses.slice(0, MOST_ADDRESSES) };
    },
  };
}

function readUrl(text: string, allowPorts: GuardOptions['allowPorts']): UrlCheck {
  if (text.length > LONGEST_URL) return refuse('FORBIDDEN_URL', tooLong());
  // WHATWG parsing drops or repairs these; what is echoed would not be what is called.
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return refuse('FORBIDDEN_URL', 'must not contain spaces, control characters or backslashes');
  }
  const url = URL.parse(text);
  if (url === null)
    return refuse('FORBIDDEN_URL', 'is not a URL, as in https://shop.example.com/hook');
  if (url.protocol !== 'https:') return refuse('FORBIDDEN_URL', 'must begin with https://');
  if (USER_INFO.test(text)) {
    return refuse('FORBIDDEN_URL', 'must not contain a user name or password');
  }
  if (text.includes('#')) return refuse('FORBIDDEN_URL', 'must not contain a fragment (#)');
  const port = url.port === '' ? 443 : Number(url.port);
  if (allowPorts !== '*' && !allowPorts.includes(port)) {
    return refuse('FORBIDDEN_URL', `must use ${formatPorts(allowPorts)}`);
  }
  const name = url.hostname.replace(/\.$/, '');
  if (name === '' || name.endsWith('.')) return refuse('FORBIDDEN_URL', 'has no valid host name');
  url.hostname = name;
  if (url.href.length > LONGEST_URL) return refuse('FORBIDDEN_URL', tooLong());
  return { allowed: true, url, addresses: [] };
}

function refuse(refusal: GuardRefusal, reason: string): UrlCheck {
  return { allowed: false, refusal, reason: `The webhook URL ${reason}.` };
}

function tooLong(): string {
  return `must be at most ${LONGEST_URL} characters long, percent-encoding included`;
}

function formatPorts(ports: readonly number[]): string {
  return ports.length === 1 ? `port ${ports[0]}` : `one of the ports ${ports.join(', ')}`;
}

function readOwnAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  );
}
