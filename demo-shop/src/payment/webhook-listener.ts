import { createServer, type Server } from 'node:https';
import {
  type AnyWebhookEvent,
  type ListenerCredentials,
  verifyWebhook,
  WebhookVerificationError,
} from '@payment-requests/sdk';
import { readBody } from '../http/read-body.ts';

/** A webhook has a few KiB; 256 KiB leave room for later fields. */
const LARGEST_BODY_BYTES = 262_144;
/** The service sends its headers at once; the rest allows for a slow network. */
const HEADERS_MS = 10_000;
/** The service ends an attempt after 15 s (delivery §2). */
const REQUEST_MS = 30_000;

export const WEBHOOK_PATH = '/webhooks';

export interface WebhookListenerOptions {
  readonly credentials: ListenerCredentials;
  /** PEM texts of the listener's certificate and key. */
  readonly tls: { readonly cert: string; readonly key: string };
  /**
   * Gets each verified event, repeats included; a repeat carries the id of the first event. The
   * listener acknowledges after `onEvent` returns. If `onEvent` throws, the service tries again.
   */
  readonly onEvent: (event: AnyWebhookEvent) => void | Promise<void>;
  readonly onRefused: (error: WebhookVerificationError) => void;
}

/**
 * Makes the merchant's webhook listener (interface §4). The listener uses HTTPS and verifies the
 * Basic credentials and the signature.
 */
export function createWebhookListener(options: WebhookListenerOptions): Server {
  async function receive(headers: Headers, body: Uint8Array): Promise<number> {
    try {
      await options.onEvent(
        await verifyWebhook<AnyWebhookEvent>({ headers, body }, options.credentials),
      );
      return 204;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      options.onRefused(error);
      return 401;
    }
  }

  const limits = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS };
  return createServer({ ...options.tls, ...limits }, async (request, response) => {
    const answer = (status: number, headers = {}) => response.writeHead(status, headers).end();
    try {
      if (request.url !== WEBHOOK_PATH) return answer(404);
      if (request.method !== 'POST') return answer(405, { allow: 'POST' });
      const body = await readBody(request, LARGEST_BODY_BYTES);
      answer(body === null ? 413 : await receive(request.headers, body));
    } catch (error) {
      // The service retries after any status but 2xx, so a fault of the shop loses no event.
      console.error(error);
      if (!response.headersSent) answer(500);
    }
  });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;
