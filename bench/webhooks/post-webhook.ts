import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';

/** The parts of a webhook that differ between deliveries. */
export interface WebhookJob {
  /** The webhook-id. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
}

export interface PosterOptions {
  readonly caPem: string;
  /** Open connections to each origin. */
  readonly maxSockets: number;
}

const KEY = Buffer.alloc(32, 7);

/**
 * Makes a function that posts a webhook over persistent connections of node:https, with the headers
 * and the signature of the service. The function throws when the answer is not 200.
 */
export function createPoster({ caPem, maxSockets }: PosterOptions) {
  const agent = new Agent({ keepAlive: true, maxSockets, ca: caPem });
  return ({ id, url, body }: WebhookJob): Promise<void> =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', agent, headers: headersOf(id, body) };
      const sent = request(url, options, (answer) => {
        answer.resume();
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`${url} answered ${answer.statusCode}`));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

function headersOf(id: string, body: string): Record<string, string | number> {
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`, 'utf8');
  return {
    authorization: `Basic ${Buffer.alloc(48, 7).toString('base64')}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'accept-encoding': 'identity',
    'user-agent': 'payment-requests-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': `v1,${signed.digest('base64')}`,
  };
}
