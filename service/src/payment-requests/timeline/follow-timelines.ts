import type { Executor } from '#database/database.ts';
import { createLivePages, type LivePages } from '#http/live/live-pages.ts';
import type { Clock } from '#lib/clock.ts';
import { isId } from '#lib/new-id.ts';
import { findTimelineVersions } from './timeline-version-store.ts';

/** People watch a webhook that is sent again; all open pages of a process share a statement. */
const SWEEP_MS = 3_000;

export interface FollowTimelinesDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

/** The id of a page about a merchant's payment request. No merchant's id has a blank. */
export function timelinePageId(merchantId: string, id: string): string {
  return `${merchantId} ${id.toLowerCase()}`;
}

/**
 * Notifies open pages about payment requests. A process without open pages sends no statement.
 * Another merchant's payment request looks like an unknown one: it never changes.
 */
export function followTimelines({ db, clock }: FollowTimelinesDeps): LivePages {
  return createLivePages({
    clock,
    sweepMs: SWEEP_MS,
    findVersions: (ids) => readTimelineVersions(db, ids),
  });
}

/** The versions of pages; 0 for a payment request that the merchant does not have. */
export async function readTimelineVersions(
  db: Executor,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ids = pageIds.map((pageId) => pageId.split(' ').at(-1) ?? '').filter(isId);
  const found = await findTimelineVersions(db, ids);
  const known = new Map(
    found.map(({ merchantId, id, version }) => [timelinePageId(merchantId, id), version]),
  );
  return new Map(pageIds.map((pageId) => [pageId, known.get(pageId) ?? 0]));
}
