import type { Caller } from '#http/shed-overload.ts';
import type { Config } from './config.ts';

/**
 * Tells by its address whose call it is: what lies under {base_url} and the token call are
 * merchants', all the rest (payment links, a network's pages, the reference) is people's.
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
    if (linkPath !== '/' && address.startsWith(linkPath)) return 'person';
    return address.startsWith(apiPath) || address.startsWith(tokenPath) ? 'merchant' : 'person';
  };
}
