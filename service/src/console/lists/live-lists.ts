import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { Executor } from '#database/database.ts';
import { createLivePages } from '#http/live/live-pages.ts';
import type { ListSpec } from './list-spec.ts';

/** A person waits no longer for a row, and an open list costs a statement of one row each time. */
const SWEEP_MS = 3_000;
/** The page of all merchants; no merchant's id has an asterisk. */
const ALL = '*';

/** The instant of the newest row, in milliseconds; 0 without rows. */
export async function lastCame(
  { rows, cameAt }: ListSpec,
  db: Executor,
  merchantId: string | null,
): Promise<number> {
  const { data } = await rows.readPage(db, merchantId, { limit: 1 }, []);
  return data.length > 0 ? (cameAt?.(data[0])?.getTime() ?? 0) : 0;
}

/**
 * Tells open pages of a list that it has a newer row. A process without open pages sends no
 * statement; the pages of a merchant share one.
 */
export function registerLiveList(
  routes: ConsoleRoutes,
  { db, clock }: Pick<ConsoleDeps, 'db' | 'clock'>,
  spec: ListSpec,
): void {
  if (!spec.cameAt) return;
  const pages = createLivePages({
    clock,
    sweepMs: SWEEP_MS,
    async findVersions(owners) {
      const versions = new Map<string, number>();
      for (const owner of owners) {
        versions.set(owner, await lastCame(spec, db, owner === ALL ? null : owner));
      }
      return versions;
    },
  });
  const { path, action } = spec;
  routes.live({ path: `${path}/live`, action, pages, idOf: ({ merchant }) => merchant?.id ?? ALL });
}
