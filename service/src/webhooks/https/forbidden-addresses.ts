import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/** Every range that is not global unicast (delivery §4). */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and the metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map(parseRange);

const FORBIDDEN_IPV6 = [
  '::/8', // unspecified, loopback, IPv4-compatible; an embedded IPv4 was checked as IPv4 before
  '100::/64', // discard
  '2001::/23', // Teredo, benchmarks, ORCHID: protocol assignments, none of them a host's
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7', // unique local
  'fe80::/10', // link-local
  'fec0::/10', // site-local
  'ff00::/8', // multicast
].map(parseRange);

/**
 * Addresses that look public and lead from a host of a cloud to the cloud itself. Their other
 * platform addresses, 169.254.169.254 among them, are within the ranges above.
 */
const FORBIDDEN_PLATFORM = [
  // Azure's platform: learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '168.63.129.16/32',
  // GKE's Services by default: cloud.google.com/kubernetes-engine/docs/concepts/alias-ips
  '34.118.224.0/20',
  // Google's APIs inside a VPC: cloud.google.com/vpc/docs/configure-private-google-access-hybrid
  '199.36.153.4/30',
  '199.36.153.8/30',
  '2600:2d00:2:1000::/64',
  '2600:2d00:2:2000::/64',
  // IBM Cloud's private endpoints: cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
  '161.26.0.0/16',
  '166.8.0.0/14',
].map(parseRange);

/** The only part of IPv6 that is handed out as global unicast; the rest has no owner. */
const GLOBAL_IPV6 = parseRange('2000::/3');

/** Addresses that mean an IPv4 address: the connection goes to that one. */
const EMBEDS_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'].map(parseRange);

export interface AddressRules {
  /** Ranges that the operator allowed, as CIDRs: they win over everything. */
  readonly allowCidrs: readonly string[];
  /** This host's own addresses, public ones too. */
  readonly ownAddresses: readonly string[];
}

/**
 * Whether a webhook must not be sent to an address. Pure. A text that is no address is forbidden.
 *
 * @param text an IPv4 or IPv6 address, in brackets or with a zone or not
 */
export function isForbiddenAddress(text: string, rules: AddressRules): boolean {
  const address = parseAddress(text);
  if (address === null) return true;
  if (rules.allowCidrs.some((cidr) => isWithin(address, parseRange(cidr)))) return false;
  const canonical = address.toString();
  if (rules.ownAddresses.some((own) => canonicalAddress(own) === canonical)) return true;
  if (FORBIDDEN_PLATFORM.some((range) => isWithin(address, range))) return true;
  // The list is the rule; ipaddr.js classifies beside it, in case it learns of a range before us.
  if (address instanceof ipaddr.IPv4) {
    return FORBIDDEN_IPV4.some((range) => isWithin(address, range)) || !isUnicast(address);
  }
  const listed = FORBIDDEN_IPV6.some((range) => isWithin(address, range));
  return listed || isIsatap(address) || !isWithin(address, GLOBAL_IPV6) || !isUnicast(address);
}

/** Gives every address one spelling, an embedded IPv4 as that IPv4; null for what is no address. */
export function canonicalAddress(text: string): string | null {
  return parseAddress(text)?.toString() ?? null;
}

function parseAddress(text: string): Address | null {
  const bare = text
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    // ipaddr.js would take the IPv4-compatible `::1.2.3.4` for the IPv4-mapped form; it is not.
    .replace(/^::(?=\d+\.)/, '0:0:0:0:0:0:');
  // ipaddr.js would also read `127.1` and `0x7f.1`, which WHATWG URLs never leave that way.
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null;
  const address = ipaddr.parse(bare);
  if (!EMBEDS_IPV4.some((range) => isWithin(address, range))) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}

/**
 * ISATAP (RFC 5214 §6.1): a host with such an interface sends to the IPv4 address at the end.
 * The bits `u` and `g` of the interface identifier do not matter.
 */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = parts;
  return (high & 0xfcff) === 0 && low === 0x5efe;
}

function parseRange(cidr: string): Range {
  return ipaddr.parseCIDR(cidr);
}

function isWithin(address: Address, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

/** `as112` and `amt` are anycast services that are reached like any public address. */
function isUnicast(address: Address): boolean {
  return ['unicast', 'as112', 'as112v6', 'amt'].includes(address.range());
}
