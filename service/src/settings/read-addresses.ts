import { Resolver } from 'node:dns';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The shortest prefixes of a trusted proxy: a wider range holds strangers. */
const SHORTEST_PROXY_PREFIX = { ipv4: 8, ipv6: 16 } as const;

/**
 * Ranges of a deployment's own networks. Link-local addresses are excluded: clouds serve machine
 * credentials at 169.254.169.254.
 */
const PRIVATE_RANGES = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '::1/128',
  'fc00::/7',
];

/** Reads a CIDR; a single address is a range of one. */
export function readCidr(text: string): string {
  const [address = '', length, ...rest] = text.split('/');
  const longest = isIPv4(address) ? 32 : 128;
  const prefix = length ?? `${longest}`;
  const isPrefix = /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= longest;
  // A zone (fe80::1%eth0) names an interface; a range has no interface.
  if (isIP(address) === 0 || address.includes('%') || !isPrefix || rest.length > 0) {
    throw new Error(`has "${text}", which is not a CIDR such as 10.0.0.0/8`);
  }
  return `${address}/${prefix}`;
}

/** Reads a range of trusted proxies. */
export function readProxyCidr(text: string): string {
  const cidr = readCidr(text);
  const [address = '', prefix = ''] = cidr.split('/');
  const shortest = SHORTEST_PROXY_PREFIX[isIPv4(address) ? 'ipv4' : 'ipv6'];
  if (Number(prefix) < shortest) {
    throw new Error(
      `has "${text}", which believes the X-Forwarded-For of strangers: ` +
        `name the proxies' own addresses, /${shortest} or narrower`,
    );
  }
  return cidr;
}

/** Whether all addresses of a CIDR are private (contract §1, WEBHOOK_ALLOW_CIDRS). */
export function isPrivateCidr(cidr: string): boolean {
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  return PRIVATE_RANGES.some((range) => {
    const [base, shortest] = ipaddr.parseCIDR(range);
    return base.kind() === address.kind() && prefix >= shortest && address.match(base, shortest);
  });
}

/** Reads an address to bind: an IP address or a name, without scheme, port or brackets. */
export function readHost(text: string): string {
  const isName = /^(?=.*[a-z])[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text);
  if (isIP(text) === 0 && !isName) {
    throw new Error(
      `must be an IP address or a host name without scheme or port, such as 0.0.0.0, not "${text}"`,
    );
  }
  return text;
}

/** The host of a URL; an IPv6 address has brackets there alone. */
export const withoutBrackets = (host: string): string => host.replace(/^\[(.+)\]$/, '$1');

/** Whether only this machine reaches the host. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const address = withoutBrackets(host);
  return isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback';
}

/** Reads the address of a DNS server, in Node's form. */
export function readResolver(text: string): string {
  try {
    new Resolver().setServers([text]);
  } catch {
    throw new Error(`has "${text}", which is not the address of a DNS server such as 10.0.0.2:53`);
  }
  return text;
}

/** Reads a public address. The service appends paths: no query, fragment or final slash. */
export function readPublicUrl(text: string): string {
  const parsed = /\s/.test(text) ? null : URL.parse(text);
  if (!parsed || !['https:', 'http:'].includes(parsed.protocol)) {
    throw new Error('must be an address that begins with https:// or http://');
  }
  if (parsed.search || parsed.hash || parsed.username || text.endsWith('/')) {
    throw new Error('must have no query, fragment, user or final slash');
  }
  return text;
}

/** The address of a collector of traces; empty: null. A password has its own header setting. */
export function readCollectorUrl(text: string): string | null {
  if (text === '') return null;
  const parsed = URL.parse(text);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new Error('must be an address that begins with https:// or http://');
  }
  if (parsed.search || parsed.hash || parsed.username || parsed.password) {
    throw new Error('must have no query, fragment, user or password');
  }
  return text;
}
