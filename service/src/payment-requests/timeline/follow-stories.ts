import type { Executor } from '#database/database.ts';
import { createLivePages, type LivePages } from '#http/live/live-pages.ts';
import type { Clock } from '#lib/clock.ts';
import { isId } from '#lib/new-id.ts';
import { findStoryVersions } from './story-version-store.ts';

/** People watch a webhook that is sent again; all open pages of a process share a statement. */
const LOOK_EVERY_MS = 3_000;

export interface FollowStoriesDeps {
  readonly db: Executor;
  readonly clock: Clock;
}

/** The id of a page about a merchant's payment request. No merchant's id has a blank. */
export function storyPageId(merchantId: string, id: string): string {
  return `${merchantId} ${id.toLowerCase()}`;
}

/**
 * Notifies open pages about payment requests. A process without open pages sends no statement.
 * Another merchant's payment request looks like an unknown one: it never changes.
 */
export function followStories({ db, clock }: FollowStoriesDeps): LivePages {
  const pages = createLivePages({ clock, findVersions: (ids) => readStoryVersions(db, ids) });
  const timer = setInterval(() => pages.changed(null), LOOK_EVERY_MS).unref();
  return {
    changed: (ids) => pages.changed(ids),
    hasChanged: (id, seenVersion) => pages.hasChanged(id, seenVersion),
    follow: (id, seenVersion, onChange) => pages.follow(id, seenVersion, onChange),
    close() {
      clearInterval(timer);
      pages.close();
    },
  };
}

/** The versions of pages; 0 for a payment request that the merchant does not have. */
export async function readStoryVersions(
  db: Executor,
  pageIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ids = pageIds.map((pageId) => pageId.split(' ').at(-1) ?? '').filter(isId);
  const found = await findStoryVersions(db, ids);
  const known = new Map(
    found.map(({ merchantId, id, version }) => [storyPageId(merchantId, id), version]),
  );
  return new Map(pageIds.map((pageId) => [pageId, known.get(pageId) ?? 0]));
}
