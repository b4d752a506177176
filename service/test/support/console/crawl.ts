import assert from 'node:assert/strict';
import { withoutReferences } from '../without-references.ts';
import type { ConsoleAnswer, ConsoleClient } from './console-client.ts';

export interface CrawledPage {
  /** With the query. */
  readonly address: string;
  readonly answer: ConsoleAnswer;
}

/** More than the console has: a crawl that goes on for longer follows made-up addresses. */
const MOST_PAGES = 400;

/**
 * Follows every link of every page, and keeps one page of each kind: of the same route, with the
 * same parameters in its query.
 */
export async function crawl(
  person: Pick<ConsoleClient, 'get'>,
  starts: readonly string[] = ['/console'],
): Promise<readonly CrawledPage[]> {
  const pages: CrawledPage[] = [];
  const seen = new Set<string>();
  const waiting = [...starts];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (seen.has(kindOf(address))) continue;
    seen.add(kindOf(address));
    assert.ok(seen.size <= MOST_PAGES, `The crawl came to ${address}.`);
    const answer = await person.get(address);
    if (answer.location?.startsWith('/console')) waiting.push(answer.location);
    else pages.push({ address, answer });
    if (isPage(answer)) waiting.push(...linksOf(answer.html, address));
  }
  return pages;
}

export function isPage({ headers }: ConsoleAnswer): boolean {
  return headers.get('content-type')?.startsWith('text/html') ?? false;
}

/** The links to other pages of the console; the switch of the language leads to the same page. */
function linksOf(html: string, address: string): string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]+)/g)]
    .map(([, href = '']) => new URL(withoutReferences(href), `http://console${address}`))
    .filter(({ host, pathname }) => host === 'console' && pathname.startsWith('/console'))
    .filter(({ searchParams }) => !searchParams.has('lang'))
    .map(({ pathname, search }) => pathname + search);
}

function kindOf(address: string): string {
  const { searchParams } = new URL(address, 'http://console');
  return `${routeOf(address)}?${[...new Set(searchParams.keys())].sort().join('&')}`;
}

/** The path of an address, without the ids in it. */
export function routeOf(address: string): string {
  const { pathname } = new URL(address, 'http://console');
  return pathname.replace(/\/(mer_\w+|[0-9a-f-]{36}|[A-Za-z0-9_-]{20,}|\d+)(?=\/|$)/g, '/*');
}
