import { isId } from '#lib/new-id.ts';
import { wordDistance } from '#lib/words/nearest-word.ts';

/** A longer path is no misspelt call. The bound keeps a comparison below 0.3 ms. */
const LONGEST_PATH = 128;
const MOST_PARTS = 7;

/** The costs of differences: a part that is missing or additional, and another word. */
const PART = 0.6;
const EMPTY_PART = 0.1;
const OTHER_WORD = 1;
/** A word that is more different than this is another word. */
const SIMILAR = 0.5;
/** A part in place of an id that is no id, as a reference; the name of a call is less likely. */
const NO_ID = 0.4;
/** A higher cost is another address: one part of it is left out, and another is added. */
const MOST = 0.95;
/** Addresses that are as near as the nearest are named, too. */
const EQUALLY_NEAR = 0.1;

/** An address of the documented calls. */
interface Address {
  /** With its methods, as in `GET, POST /v1/payment-requests/{id}/refunds`. */
  readonly shown: string;
  readonly parts: readonly string[];
}

export interface DocumentedCall {
  readonly method: string;
  /** In the router's form: `/v1/payment-requests/:id`. */
  readonly url: string;
}

/** @returns finds the addresses that a misspelt path probably means; none is near: an empty list */
export function createAddressFinder(
  calls: readonly DocumentedCall[],
): (path: string) => readonly string[] {
  const addresses = addressesOf(calls);
  const words = new Set(addresses.flatMap(({ parts }) => parts));
  return (path) => {
    if (path.length > LONGEST_PATH) return [];
    const asked = path.split('/').slice(1);
    if (asked.length > MOST_PARTS) return [];
    const compare = createComparison(words);
    const costs = addresses.map(({ parts }) => costOf(asked, parts, compare));
    const least = Math.min(...costs);
    if (least > MOST) return [];
    return addresses
      .filter((_, index) => (costs[index] ?? MOST) <= least + EQUALLY_NEAR)
      .map(({ shown }) => shown);
  };
}

function addressesOf(calls: readonly DocumentedCall[]): Address[] {
  const methods = Map.groupBy(calls, ({ url }) => url);
  return [...methods].map(([url, found]) => {
    const names = found.map(({ method }) => method.toUpperCase()).join(', ');
    const shown = `${names} ${url.replace(/:(\w+)/g, '{$1}')}`;
    return { shown, parts: url.split('/').slice(1) };
  });
}

type Compare = (asked: string, part: string) => number;

/** Compares a part of a path with each word once. */
function createComparison(words: ReadonlySet<string>): Compare {
  const known = new Map<string, number>();
  return (asked, part) => {
    if (asked === part) return 0;
    if (part.startsWith(':')) return words.has(asked) ? PART : costOfId(asked);
    if (asked === '') return PART;
    const key = `${asked}/${part}`;
    let distance = known.get(key);
    if (distance === undefined) {
      distance = wordDistance(asked, part);
      known.set(key, distance);
    }
    return distance > SIMILAR ? OTHER_WORD : distance;
  };
}

function costOfId(text: string): number {
  if (isId(text)) return 0;
  return text === '' ? EMPTY_PART : NO_ID;
}

/** The least sum of the differences between two paths, part by part. */
function costOf(asked: readonly string[], parts: readonly string[], compare: Compare): number {
  let above = [0, ...parts.map((_, index) => (index + 1) * PART)];
  for (const own of asked) {
    const additional = own === '' ? EMPTY_PART : PART;
    const costs = [(above[0] ?? 0) + additional];
    for (const [index, part] of parts.entries()) {
      const replaced = (above[index] ?? 0) + compare(own, part);
      const leftOut = (costs[index] ?? 0) + PART;
      costs.push(Math.min(replaced, leftOut, (above[index + 1] ?? 0) + additional));
    }
    above = costs;
  }
  return above[parts.length] ?? 0;
}
