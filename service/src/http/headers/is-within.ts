import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The bits before an IPv4 address in its IPv6 form. */
const MAPPED_BITS = 96;
const asIPv6 = (address: Address): ipaddr.IPv6 =>
  address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address;

/**
 * Whether an address is in one of the ranges. An IPv4 address and its IPv6 form are the same one,
 * as for Fastify's `trustProxy`.
 *
 * @param text a text that is no address is in no range
 * @param cidrs each valid, as in `10.0.0.0/8`
 */
export function isWithin(text: string, cidrs: readonly string[]): boolean {
  if (isIP(text) === 0) return false;
  const address = asIPv6(ipaddr.parse(text));
  return cidrs.some((cidr) => {
    const [base, bits] = ipaddr.parseCIDR(cidr);
    return address.match(asIPv6(base), base instanceof ipaddr.IPv4 ? MAPPED_BITS + bits : bits);
  });
}
