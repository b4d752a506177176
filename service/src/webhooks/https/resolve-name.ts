import { promises as dns } from 'node:dns';
import { createHostsFile, type HostsFile } from './hosts-file.ts';

/** Within which a name must have its addresses (delivery §4). */
const RESOLVE_TIMEOUT_MS = 2_000;
/** So that one lost packet does not fail a name: a second question still fits the limit. */
const QUERY_TIMEOUT_MS = 900;
const QUERY_TRIES = 2;

/** The name is known to have no address (of this family): an answer, not a fault. */
const NO_ADDRESS = new Set(['ENODATA', 'ENOTFOUND']);

export type Resolution =
  | { readonly found: true; readonly addresses: readonly string[] }
  | { readonly found: false; readonly timedOut: boolean };

/** Finds every address of a name, A and AAAA. Never throws. */
export type ResolveName = (name: string) => Promise<Resolution>;

export interface ResolverOptions {
  /** DNS servers, `address` or `address:port`; the system's when empty. */
  readonly servers: readonly string[];
  readonly hostsFile?: HostsFile;
  readonly timeoutMs?: number;
}

/**
 * Makes the way from names to addresses: the hosts file first, then DNS by c-ares, whose questions
 * can be given up, unlike those of `getaddrinfo`, of which four slow ones block a thread pool.
 * A family whose servers fail makes the whole name fail: an unseen address cannot be validated.
 */
export function createNameResolver(options: ResolverOptions): ResolveName {
  const { servers, timeoutMs = RESOLVE_TIMEOUT_MS } = options;
  const hostsFile = options.hostsFile ?? createHostsFile();

  return async (name) => {
    const local = await hostsFile(name);
    if (local.length > 0) return { found: true, addresses: local };
    // RFC 6761: the name is never asked of DNS, where a stranger could answer.
    if (/(^|\.)localhost$/i.test(name)) return { found: true, addresses: ['127.0.0.1', '::1'] };
    return askDns(name, servers, timeoutMs);
  };
}

async function askDns(
  name: string,
  servers: readonly string[],
  timeoutMs: number,
): Promise<Resolution> {
  // Each name has its own resolver: giving up cancels every question of a resolver.
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  let timedOut = false;
  const giveUp = setTimeout(() => {
    timedOut = true;
    resolver.cancel();
  }, timeoutMs);
  try {
    const families = await Promise.all([
      addressesOrNone(resolver.resolve4(name)),
      addressesOrNone(resolver.resolve6(name)),
    ]);
    const addresses = families.flat();
    if (addresses.length > 0) return { found: true, addresses };
    return { found: false, timedOut: false };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    return { found: false, timedOut: timedOut || code === 'ETIMEOUT' };
  } finally {
    clearTimeout(giveUp);
    resolver.cancel();
  }
}

async function addressesOrNone(asked: Promise<string[]>): Promise<string[]> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_ADDRESS.has(String(error.code))) return [];
    throw error;
  }
}
