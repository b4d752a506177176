import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import {
  type ListenerCredentials,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '@payment-requests/sdk';

/** A webhook is a few KiB; more is not one. */
const LARGEST_BODY_BYTES = 262_144;

export interface WebhookListenerOptions {
  readonly credentials: ListenerCredentials;
  /** PEM files of the listener's certificate and key. */
  readonly tls: { readonly cert: string; readonly key: string };
  /** Called once for each event, however often it is delivered. */
  readonly onEvent: (event: WebhookEvent) => void | Promise<void>;
  readonly onRefused: (error: WebhookVerificationError) => void;
}

/**
 * The merchant's webhook listener (interface specification, Merchant webhook listener): HTTPS,
 * Basic credentials and signature verified, repeats answered 204 and ignored.
 */
export function createWebhookListener(options: WebhookListenerOptions): Server {
  /** Events already handled. A shop keeps these in its database, with the order. */
  const seen = new Set<string>();

  async function receive(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    body: Uint8Array,
  ): Promise<number> {
    try {
      const event = await verifyWebhook({ headers, body }, options.credentials);
      if (seen.has(event.id)) return 204;
      await options.onEvent(event);
      seen.add(event.id);
      return 204;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      options.onRefused(error);
      return 401;
    }
  }

  const tls = { cert: readFileSync(options.tls.cert), key: readFileSync(options.tls.key) };
  return createServer(tls, async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of request) {
        size += chunk.length;
        if (size > LARGEST_BODY_BYTES) {
          response.writeHead(413).end();
          return;
        }
        chunks.push(chunk);
      }
      response.writeHead(await receive(request.headers, Buffer.concat(chunks))).end();
    } catch (error) {
      // Anything but 2xx makes the service try again: nothing is lost by a fault of ours.
      console.error(error);
      if (!response.headersSent) response.writeHead(500).end();
    }
  });
}
