import type { Executor } from '#database/database.ts';
import { isId } from '#lib/new-id.ts';
import { findReplays, type WebhookReplay } from './replay-store.ts';

/** A page for people. */
const PAGE = 20;

export interface ReplayPage {
  readonly replays: readonly WebhookReplay[];
  /** The `after` of the next page; null: this is the last one. */
  readonly next: string | null;
}

/**
 * A merchant's replays, newest first, also those of deleted endpoints.
 *
 * @param endpointId only of this endpoint; null: of all
 * @param after      the `next` of the page before; anything else begins at the newest
 */
export async function listReplays(
  db: Executor,
  merchantId: string,
  { endpointId, after }: { readonly endpointId: string | null; readonly after: string | null },
): Promise<ReplayPage> {
  const found = await findReplays(db, {
    merchantId,
    endpointId,
    after: after !== null && isId(after) ? after : null,
    limit: PAGE + 1,
  });
  const replays = found.slice(0, PAGE);
  return { replays, next: found.length > PAGE ? (replays.at(-1)?.id ?? null) : null };
}

/** How far a replay is, from 0 to 1: looked at by the events' time, and sent or given up. Pure. */
export function shareDone({
  fromAt,
  toAt,
  positionAt,
  queued,
  pending,
  status,
}: WebhookReplay): number {
  const spanMs = toAt.getTime() - fromAt.getTime();
  const seen = status === 'COMPLETED' ? 1 : (positionAt.getTime() - fromAt.getTime()) / spanMs;
  const over = queued === 0 ? 1 : (queued - pending) / queued;
  return Math.min(Math.max(seen * over, 0), 1);
}
