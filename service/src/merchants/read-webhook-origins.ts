import { OperatorFault } from './operator-fault.ts';

/** A shop has a few origins; a longer list is a mistake of a script. */
const MOST_ORIGINS = 50;

/**
 * Reads the origins that a payment request's `webhookUrl` may have in production (contract §4):
 * `https://shop.example` or `https://shop.example:8443`, and the origin of the default webhook URL.
 *
 * @returns each origin once, in the spelling of WHATWG `URL.origin`
 * @throws  OperatorFault with the first text that is not an HTTPS origin
 */
export function readWebhookOrigins(
  origins: readonly string[],
  webhookUrl: URL | null,
): readonly string[] {
  const read = origins.map(readOrigin);
  if (webhookUrl !== null) read.push(webhookUrl.origin);
  const distinct = [...new Set(read)];
  if (distinct.length > MOST_ORIGINS) {
    throw new OperatorFault(`At most ${MOST_ORIGINS} webhook origins can be registered.`);
  }
  return distinct;
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.href !== `${url.origin}/`) {
    throw new OperatorFault(
      `"${text}" is not a webhook origin. Give the scheme, the host and, if it is not 443, the ` +
        'port, as in https://shop.example:8443.',
    );
  }
  return url.origin;
}
