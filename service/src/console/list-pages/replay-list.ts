import type { ListSpec } from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { merchantPath } from '#console/webhooks/paths.ts';
import { REPLAYS } from '#console/webhooks/replays/replay-columns.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';
import { listReplays } from '#webhooks/replays/list-replays.ts';
import type { WebhookReplay } from '#webhooks/replays/replay-store.ts';

const CSV = csvForm(
  memberColumns<WebhookReplay>(
    ...(['id', 'endpointId', 'status', 'fromAt', 'toAt', 'onlyFailed', 'examined'] as const),
    ...(['queued', 'pending', 'createdAt', 'completedAt'] as const),
  ),
);

/** A merchant's replays, also those of deleted endpoints. */
export const replayList = (): ListSpec<WebhookReplay> => ({
  ...REPLAYS,
  name: 'replays',
  path: '/m/:merchant/replays',
  action: 'endpoints.read',
  filters: [{ name: 'endpointId', form: 'id' }],
  rows: pagedRows('webhook-replays', CSV, (db, merchantId, { cursor: after, limit, filter }) =>
    listReplays(db, `${merchantId}`, { endpointId: filter('endpointId'), after, limit }),
  ),
  emptyActs: [{ word: 'toEndpoints', path: (_, visit) => merchantPath(visit, 'endpoints') }],
});
