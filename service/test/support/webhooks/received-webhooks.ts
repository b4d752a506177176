import { createHash } from 'node:crypto';
import type { Answering } from './https-listener.ts';

/** A real listener takes its time, so that a kill finds some under way. */
const SLOWEST_ANSWER_MS = 20;

/** The webhooks that a listener received, as far as they show whether a promise was broken. */
export interface ReceivedWebhooks {
  /** Answers each webhook within 20 ms, and takes note of it. */
  readonly answer: Answering;
  /** Ids of events that were answered 2xx. */
  readonly acknowledged: ReadonlySet<string>;
  /** How often events came again after they had been answered 2xx. */
  readonly duplicates: ReadonlyMap<string, number>;
  /** Ids of events that came with another body than before. */
  readonly changed: ReadonlySet<string>;
  /** `payment request: 2 after 3`: events that came after a later one of the same. */
  readonly outOfOrder: readonly string[];
  /** Events that came before the one before them had been answered 2xx. */
  readonly tooSoon: readonly string[];
}

export function createReceivedWebhooks(refusedShare: number): ReceivedWebhooks {
  const acknowledged = new Set<string>();
  const duplicates = new Map<string, number>();
  const changed = new Set<string>();
  const bodies = new Map<string, string>();
  const latest = new Map<string, { received: number; acknowledged: number }>();
  const outOfOrder: string[] = [];
  const tooSoon: string[] = [];

  return {
    acknowledged,
    duplicates,
    changed,
    outOfOrder,
    tooSoon,
    answer({ headers, body }, response) {
      const id = String(headers['webhook-id']);
      const { resource, sequence } = JSON.parse(body);
      const hash = createHash('sha256').update(body).digest('base64');
      if ((bodies.get(id) ?? hash) !== hash) changed.add(id);
      bodies.set(id, hash);
      if (acknowledged.has(id)) duplicates.set(id, (duplicates.get(id) ?? 0) + 1);
      const of = latest.get(resource.id) ?? { received: 0, acknowledged: 0 };
      latest.set(resource.id, of);
      if (sequence < of.received) {
        outOfOrder.push(`${resource.id}: ${sequence} after ${of.received}`);
      }
      if (sequence > of.acknowledged + 1) tooSoon.push(`${resource.id}: ${sequence}`);
      of.received = Math.max(of.received, sequence);
      setTimeout(() => {
        const isRefused = Math.random() < refusedShare;
        if (!isRefused) {
          acknowledged.add(id);
          of.acknowledged = Math.max(of.acknowledged, sequence);
        }
        response.writeHead(isRefused ? 500 : 200).end();
      }, Math.random() * SLOWEST_ANSWER_MS);
    },
  };
}
