import type { Config } from '#config.ts';
import type { TrafficClass } from '#http/overload/load-gate.ts';

/** A path without percent-encoding; the absolute form of a request target has no slash in front. */
const PLAIN = /^\/[^%?]*(\?|$)/;

/**
 * Classifies a call by its URL. Calls under {base_url} and the token call are merchants'; all
 * others (payment links, a network's pages, the reference) are people's. A URL in another spelling
 * counts as a merchant's, so that no spelling of an API call gets the payers' reserve.
 */
export function createTrafficClassifier({
  publicApiUrl,
  publicAuthUrl,
  paymentLinkBase,
}: Pick<Config, 'publicApiUrl' | 'publicAuthUrl' | 'paymentLinkBase'>) {
  const apiPath = new URL(publicApiUrl).pathname;
  const tokenPath = new URL(publicAuthUrl).pathname;
  const linkPath = new URL(paymentLinkBase).pathname;
  return (url: string): TrafficClass => {
    // First, because {base_url} may be the whole origin.
    if (url === '/console' || /^\/console[/?]/.test(url)) return 'person';
    if (linkPath !== '/' && url.startsWith(`${linkPath}/`)) return 'person';
    if (url.startsWith(apiPath) || url.startsWith(tokenPath)) return 'merchant';
    return PLAIN.test(url) ? 'person' : 'merchant';
  };
}
