import { Resolver } from 'node:dns/promises';
import type { DnsRecord } from './dns-records.ts';

/** A lost packet is asked for once more. */
const QUERY = { timeout: 2_000, tries: 2 };
/** The bound of all questions, however many servers there are: a person waits for the command. */
const LONGEST_MS = 10_000;
/** Names without such a record. */
const NONE: readonly unknown[] = ['ENODATA', 'ENOTFOUND'];

/** A line, and the records that the DNS has for it. */
export interface PublishedRecord extends DnsRecord {
  readonly state: 'PUBLISHED' | 'MISSING' | 'OTHER' | 'NO_ANSWER';
  /** The records of its purpose that the DNS has. */
  readonly found: readonly string[];
}

const BEGINNING = { SPF: /^v=spf1( |$)/i, DKIM: /(^|;)\s*p=/, DMARC: /^v=DMARC1\s*;/i } as const;

/**
 * Looks up what the DNS has for each line.
 *
 * @param servers DNS servers, as `WEBHOOK_RESOLVERS`; empty: the system's
 */
export async function findPublished(
  records: readonly DnsRecord[],
  servers: readonly string[],
): Promise<PublishedRecord[]> {
  const resolver = new Resolver(QUERY);
  if (servers.length > 0) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), LONGEST_MS);
  try {
    return await Promise.all(records.map((record) => findOne(resolver, record)));
  } finally {
    clearTimeout(timer);
  }
}

async function findOne(resolver: Resolver, record: DnsRecord): Promise<PublishedRecord> {
  try {
    const found = await lookUp(resolver, record);
    return { ...record, state: stateOf(record, found), found };
  } catch (error) {
    const isNone = NONE.includes((error as NodeJS.ErrnoException).code);
    return { ...record, state: isNone ? 'MISSING' : 'NO_ANSWER', found: [] };
  }
}

async function lookUp(resolver: Resolver, { purpose, name }: DnsRecord): Promise<string[]> {
  if (purpose === 'MX') return (await resolver.resolveMx(name)).map(({ exchange }) => exchange);
  const texts = (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  return texts.filter((text) => BEGINNING[purpose].test(text));
}

/** A domain has one SPF (RFC 7208 §3.2); a key is compared without white space. */
function stateOf({ purpose, text }: DnsRecord, found: readonly string[]): PublishedRecord['state'] {
  const [first] = found;
  if (first === undefined) return 'MISSING';
  if (purpose === 'MX') return 'PUBLISHED';
  if (found.length > 1) return 'OTHER';
  return purpose === 'DKIM' && text !== null && keyOf(first) !== keyOf(text)
    ? 'OTHER'
    : 'PUBLISHED';
}

const keyOf = (text: string) => /(?:^|;)\s*p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, '');
