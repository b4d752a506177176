import type { ServerMetadata } from 'openid-client';
import type { Clock } from '#lib/clock.ts';
import { isPlainLocalhost } from '#lib/localhost.ts';
import { memoizeAsync } from '#lib/memoize-async.ts';
import { createBoundedFetch } from './bounded-fetch.ts';
import { ProviderFault } from './provider-fault.ts';

/** openid-client takes 40 ms to load: only a sign-in needs it. */
export const loadClient = memoizeAsync(() => import('openid-client'));

/** The document is small; the remaining calls of a sign-in have a bound of their own. */
const LONGEST_WAIT_MS = 5_000;
/** A provider announces a moved endpoint for longer. */
const FRESH_MS = 10 * 60_000;
/** While the provider's document is away, sign-ins go on with the last one for a day. */
const KEPT_MS = 24 * 3_600_000;
/** With a kept document, only one sign-in in this time waits for the absent one. */
const PAUSE_MS = 30_000;

export interface DiscoveryOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clock: Pick<Clock, 'steadyMs'>;
}

interface Known {
  readonly metadata: ServerMetadata;
  readonly readAtMs: number;
  nextReadAtMs: number;
}

/**
 * Makes a reader of the provider's endpoints. It reads them once in 10 minutes, for all sign-ins
 * of that moment together.
 *
 * @returns rejects with `ProviderFault` where no document of the last day is known
 */
export function createDiscovery(options: DiscoveryOptions): () => Promise<ServerMetadata> {
  const { clock } = options;
  let known: Known | null = null;
  let reading: Promise<ServerMetadata> | null = null;

  async function read(): Promise<ServerMetadata> {
    const metadata = await discover(options);
    const readAtMs = clock.steadyMs();
    known = { metadata, readAtMs, nextReadAtMs: readAtMs + FRESH_MS };
    return metadata;
  }

  return async () => {
    const nowMs = clock.steadyMs();
    if (known && nowMs < known.nextReadAtMs) return known.metadata;
    reading ??= read().finally(() => {
      reading = null;
    });
    try {
      return await reading;
    } catch (error) {
      if (!known || clock.steadyMs() - known.readAtMs > KEPT_MS) throw error;
      known.nextReadAtMs = clock.steadyMs() + PAUSE_MS;
      return known.metadata;
    }
  };
}

async function discover({ issuer, clientId }: DiscoveryOptions): Promise<ServerMetadata> {
  const client = await loadClient();
  const calls = createBoundedFetch({ waitMs: LONGEST_WAIT_MS });
  try {
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      [client.customFetch]: calls.fetch,
      ...(isPlainLocalhost(issuer) && { execute: [client.allowInsecureRequests] }),
    });
    const metadata = found.serverMetadata();
    refuseBadEndpoints(issuer, metadata);
    return metadata;
  } catch (error) {
    throw calls.fault() ?? invalid(error);
  }
}

/** Browsers and secrets go to these addresses: they keep to the protocol of the issuer. */
function refuseBadEndpoints(issuer: string, metadata: ServerMetadata): void {
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
  const { protocol } = new URL(issuer);
  for (const endpoint of [authorization_endpoint, token_endpoint, jwks_uri]) {
    const url = endpoint === undefined ? null : URL.parse(endpoint);
    if (url?.protocol !== 'https:' && url?.protocol !== protocol) {
      throw invalid(new Error('An endpoint is absent or has another protocol.'));
    }
  }
}

function invalid(cause: unknown): ProviderFault {
  if (cause instanceof ProviderFault) return cause;
  const message = 'The identity provider has no good discovery document.';
  return new ProviderFault('INVALID_ANSWER', message, cause);
}
