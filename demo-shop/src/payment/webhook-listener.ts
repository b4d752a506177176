import { createServer, type Server } from 'node:https';
import {
  type ListenerCredentials,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '@payment-requests/sdk';
import { readBody } from '../http/read-body.ts';

/** A webhook is a few KiB; more is not one. */
const LARGEST_BODY_BYTES = 262_144;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;

export const WEBHOOK_PATH = '/webhooks';

export interface WebhookListenerOptions {
  readonly credentials: ListenerCredentials;
  /** PEM texts of the listener's certificate and key. */
  readonly tls: { readonly cert: string; readonly key: string };
  /**
   * Called for each webhook that is to be believed, repeats included, which have the id of the
   * first. It is acknowledged when this returns; if this throws, the service sends it again.
   */
  readonly onEvent: (event: WebhookEvent) => void | Promise<void>;
  readonly onRefused: (error: WebhookVerificationError) => void;
}

/**
 * The merchant's webhook listener (interface §4): HTTPS, with
 * Basic credentials and signature verified.
 */
export function createWebhookListener(options: WebhookListenerOptions): Server {
  async function receive(headers: Headers, body: Uint8Array): Promise<number> {
    try {
      await options.onEvent(await verifyWebhook({ headers, body }, options.credentials));
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
      // Anything but 2xx makes the service try again: nothing is lost by a fault of ours.
      console.error(error);
      if (!response.headersSent) answer(500);
    }
  });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;
