import type { Readable } from 'node:stream';
import { getCACertificates } from 'node:tls';
import { Agent, request } from 'undici';
import { systemClock } from '#lib/clock.ts';
import { signWebhook } from '#webhooks/https/sign-webhook.ts';

/** Like the service's own sender: the limit of the whole exchange, and of the read answer. */
export const LONGEST_EXCHANGE_SECONDS = 15;
const MOST_BODY_BYTES = 16_384;
/** The printed part of the answer. */
const MOST_SHOWN_CHARACTERS = 200;

/** The credentials that a listener expects, and the secret that signs its webhooks. */
export interface ListenerSecrets {
  readonly username: string;
  readonly password: string;
  readonly signingSecret: string;
}

export interface PostedWebhook {
  /** null: no answer. */
  readonly status: number | null;
  /** The beginning of the answer, or why there is none. */
  readonly text: string;
  /** No whole answer came in time. */
  readonly isTooSlow: boolean;
  readonly durationMs: number;
}

export type PostWebhook = (
  headers: Readonly<Record<string, string>>,
  body: string | Readable,
) => Promise<PostedWebhook>;

/** The headers of a webhook as the service sends it (delivery §2). */
export function webhookHeaders(
  { username, password, signingSecret }: ListenerSecrets,
  { id, body, timestamp = nowSeconds() }: { id: string; body: string; timestamp?: number },
): Record<string, string> {
  return {
    authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
    'content-type': 'application/json',
    'user-agent': 'payreq',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook([signingSecret], { id, timestamp, body }),
  };
}

export function nowSeconds(): number {
  return Math.floor(systemClock.now().getTime() / 1000);
}

/**
 * Makes what posts webhooks to one listener of the person who types, over HTTP or HTTPS. Redirects
 * are not followed. It never throws: what goes wrong is the answer.
 *
 * @param caPem a certificate authority that is trusted beside the system's; null for none
 * @param timeoutSeconds the limit of the whole exchange
 */
export function createWebhookPost(
  url: string,
  caPem: string | null,
  timeoutSeconds = LONGEST_EXCHANGE_SECONDS,
): PostWebhook {
  const ca = caPem === null ? undefined : [...getCACertificates('default'), caPem];
  // A connection each, so that a listener that closes them costs no attempt.
  const dispatcher = new Agent({ pipelining: 0, ...(ca && { connect: { ca } }) });
  return async (headers, body) => {
    const startedMs = systemClock.steadyMs();
    const ended = (status: number | null, text: string, isTooSlow = false): PostedWebhook => ({
      status,
      isTooSlow,
      text: text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_SHOWN_CHARACTERS),
      durationMs: Math.round(systemClock.steadyMs() - startedMs),
    });
    try {
      const answer = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher,
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      });
      return ended(answer.statusCode, await readBeginning(answer.body));
    } catch (error) {
      const isTooSlow = error instanceof Error && error.name === 'TimeoutError';
      const reason = isTooSlow ? `no answer within ${timeoutSeconds} s` : reasonOf(error);
      return ended(null, reason, isTooSlow);
    }
  };
}

async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return error.message || code || error.name;
}
