import type { Answering } from '../webhooks/https-listener.ts';

/** The events that a merchant's listener has received. */
export interface ReceivedEvents {
  readonly answer: Answering;
  /** How often each event came, by its id. */
  readonly counts: ReadonlyMap<string, number>;
  /** Events that came with other bytes than before. */
  readonly changed: ReadonlySet<string>;
  /** First receipts that came after a later event of the same payment request. */
  readonly disordered: readonly string[];
}

export function createReceivedEvents(): ReceivedEvents {
  const counts = new Map<string, number>();
  const bodies = new Map<string, string>();
  const changed = new Set<string>();
  const latest = new Map<string, number>();
  const disordered: string[] = [];
  return {
    counts,
    changed,
    disordered,
    answer({ headers, body }, response) {
      const id = String(headers['webhook-id']);
      const { resource, sequence } = JSON.parse(body);
      const paymentRequestId = resource.paymentRequestId ?? resource.id;
      if ((bodies.get(id) ?? body) !== body) changed.add(id);
      const last = latest.get(paymentRequestId) ?? 0;
      if (!bodies.has(id) && sequence < last) {
        disordered.push(`${paymentRequestId}: ${sequence} after ${last}`);
      }
      latest.set(paymentRequestId, Math.max(last, sequence));
      bodies.set(id, body);
      counts.set(id, (counts.get(id) ?? 0) + 1);
      response.end('ok');
    },
  };
}
