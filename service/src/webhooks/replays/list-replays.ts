import type { Executor } from '#database/database.ts';
import { cutPage, type Page } from '#lib/cursor.ts';
import { isId } from '#lib/new-id.ts';
import { findReplays, type WebhookReplay } from './replay-store.ts';

interface ReplaysQuery {
  /** null: of all endpoints. */
  readonly endpointId: string | null;
  /** The id of the last replay of the page before; anything else begins at the newest. */
  readonly after: string | null;
  readonly limit: number;
}

/** A merchant's replays, newest first, also those of deleted endpoints. */
export async function listReplays(
  db: Executor,
  merchantId: string,
  { endpointId, after, limit }: ReplaysQuery,
): Promise<Page<WebhookReplay>> {
  const found = await findReplays(db, {
    merchantId,
    endpointId,
    after: after !== null && isId(after) ? after : null,
    limit: limit + 1,
  });
  return cutPage(found, limit, ({ id }) => id);
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
