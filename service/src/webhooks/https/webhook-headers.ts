const USER_AGENT = 'payment-requests-webhooks/1';

export interface WebhookHead {
  /** The event's id: the same at every attempt. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly authorization: string;
  readonly signature: string;
  /** The W3C trace that the webhook goes on with. */
  readonly traceparent?: string | null | undefined;
}

/** The headers of a webhook, beside those that frame its body (delivery §2). */
export function webhookHeaders(head: WebhookHead): Record<string, string> {
  return {
    authorization: head.authorization,
    'content-type': 'application/json',
    // Asked for, and not relied on: a compressed answer is never unpacked.
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    'webhook-id': head.id,
    'webhook-timestamp': String(head.timestamp),
    'webhook-signature': head.signature,
    ...(head.traceparent && { traceparent: head.traceparent }),
  };
}

/** Stands in place of a credential or a signature, which no page shows. */
export const BLANKED = '••••••';

/**
 * The head of a webhook as an attempt sent it, for people. The service stores no copy: URL, event
 * and start of the attempt determine every line but the blanked ones. The timestamp is that of the
 * start; connecting may have moved it by some seconds.
 */
export function shownHeaders(
  sent: Pick<WebhookHead, 'id' | 'traceparent'> & {
    readonly url: string;
    readonly body: string;
    readonly startedAt: Date;
  },
): Record<string, string> {
  const { id, traceparent, url, body, startedAt } = sent;
  return {
    host: URL.parse(url)?.host ?? '',
    ...webhookHeaders({
      id,
      traceparent,
      timestamp: Math.floor(startedAt.getTime() / 1000),
      authorization: `Basic ${BLANKED}`,
      signature: `v1,${BLANKED}`,
    }),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'keep-alive',
  };
}
