import {
  type HttpsListener,
  type ReceivedWebhook,
  startHttpsListener,
} from '../../service/test/support/webhooks/https-listener.ts';

/** The HTTPS in front of the shop: it can keep webhooks back, and send one again. */
export interface WebhookRelay extends Pick<HttpsListener, 'url' | 'caPem' | 'close'> {
  /** Webhooks are kept, and not answered, until `release`. */
  hold(): void;
  /** Passes the kept webhooks on, in the order of `sort`. */
  release(sort?: (kept: ReceivedWebhook[]) => ReceivedWebhook[]): Promise<readonly number[]>;
  /** The webhooks so far of a payment request, the kept ones too. */
  of(paymentRequestId: string): readonly ReceivedWebhook[];
  /** Sends a webhook to the shop as it came. @returns the status of the answer */
  pass(webhook: ReceivedWebhook): Promise<number>;
}

export async function startWebhookRelay(targetUrl: string): Promise<WebhookRelay> {
  let isHolding = false;
  const kept: { webhook: ReceivedWebhook; answer: (status: number) => void }[] = [];
  const listener = await startHttpsListener();

  async function pass({ headers, body }: ReceivedWebhook): Promise<number> {
    const passed = Object.entries(headers).filter(
      ([name]) => name.startsWith('webhook-') || ['authorization', 'content-type'].includes(name),
    ) as [string, string][];
    try {
      const answer = await fetch(targetUrl, { method: 'POST', headers: passed, body });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      // A load balancer answers so for a shop that is away.
      return 502;
    }
  }

  listener.answerWith(async (webhook, response) => {
    const answer = (status: number) => {
      response.statusCode = status;
      response.end();
    };
    if (isHolding) kept.push({ webhook, answer });
    else answer(await pass(webhook));
  });

  return {
    url: listener.url,
    caPem: listener.caPem,
    close: listener.close,
    pass,
    hold() {
      isHolding = true;
    },
    async release(sort = (webhooks) => webhooks) {
      isHolding = false;
      const all = kept.splice(0);
      const statuses: number[] = [];
      for (const webhook of sort(all.map((each) => each.webhook))) {
        const status = await pass(webhook);
        all.find((each) => each.webhook === webhook)?.answer(status);
        statuses.push(status);
      }
      return statuses;
    },
    of: (id) => listener.requests.filter(({ body }) => body.includes(id)),
  };
}
