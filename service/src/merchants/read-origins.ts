import { isLocalhost } from '#lib/localhost.ts';
import { Refusal } from './operator-fault.ts';

/** A shop has a few origins; a longer list is a mistake of a script. */
const MOST_ORIGINS = 50;

/** The URLs that an origin is registered for in production (contract §4). */
export type OriginUse = 'webhook' | 'return';

export interface OriginRules {
  readonly use: OriginUse;
  /** PUBLIC_API_URL is on localhost: a return origin may be `http:` there (contract §4). */
  readonly isLocal: boolean;
}

/**
 * Reads the origins that a payment request's `webhookUrl` or `returnUrl` may have in production
 * (contract §4): `https://shop.example` or `https://shop.example:8443`.
 *
 * @returns each origin once, in the spelling of WHATWG `URL.origin`
 * @throws  OperatorFault with the first text that is no such origin
 */
export function readOrigins(rules: OriginRules, origins: readonly string[]): readonly string[] {
  const distinct = [...new Set(origins.map((text) => readOrigin(rules, text)))];
  if (distinct.length > MOST_ORIGINS) {
    throw new Refusal('origins.most', { most: MOST_ORIGINS, use: rules.use }, rules.use);
  }
  return distinct;
}

function readOrigin(rules: OriginRules, text: string): string {
  const url = URL.parse(text);
  if (!url || !isSafe(rules, url) || url.href !== `${url.origin}/`) {
    throw new Refusal('origins.form', { text, use: rules.use }, rules.use);
  }
  return url.origin;
}

function isSafe({ use, isLocal }: OriginRules, url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && use === 'return' && isLocal && isLocalhost(url);
}
