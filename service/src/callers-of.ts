import type { Caller } from '#http/overload/shed-overload.ts';
import type { Config } from './config.ts';

/** A path without percent-encoding; the absolute form of a request target has no slash in front. */
const PLAIN = /^\/[^%?]*(\?|$)/;

/**
 * Tells by its address whose call it is. Calls under {base_url} and the token call are merchants';
 * all others (payment links, a network's pages, the reference) are people's. An address in another
 * spelling counts as a merchant's, so that no spelling of an API call gets the payers' reserve.
 */
export function callersOf({
  publicApiUrl,
  publicAuthUrl,
  paymentLinkBase,
}: Pick<Config, 'publicApiUrl' | 'publicAuthUrl' | 'paymentLinkBase'>) {
  const apiPath = new URL(publicApiUrl).pathname;
  const tokenPath = new URL(publicAuthUrl).pathname;
  const linkPath = new URL(paymentLinkBase).pathname;
  return (address: string): Caller => {
    // First, because {base_url} may be the whole origin.
    if (linkPath !== '/' && address.startsWith(`${linkPath}/`)) return 'person';
    if (address.startsWith(apiPath) || address.startsWith(tokenPath)) return 'merchant';
    return PLAIN.test(address) ? 'person' : 'merchant';
  };
}
