import { badge } from '#console/components/badges.ts';
import { addingAct } from '#console/lists/acts.ts';
import { show } from '#console/lists/columns.ts';
import { type ListSpec, listAt, listWords } from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { memberForm } from '#lib/csv.ts';
import type { ListedMerchant } from '#merchants/merchant-store.ts';
import { pageOfMerchants } from '#merchants/read-merchant.ts';

const words = listWords('console.lists.merchants');
const CSV = memberForm<ListedMerchant>('id', 'name', 'status', 'createdAt');

/** The merchants of the deployment, by a part of their names. */
export const merchantList = (): ListSpec<ListedMerchant> => ({
  ...listAt('operator.merchants', words),
  filters: [{ name: 'q', form: 'text', maxLength: 100 }],
  columns: {
    name: show.text((merchant) => merchant.name),
    status: show.cell(({ status }, { language }) =>
      badge(words(language).text(`option.${status}`), status === 'ACTIVE' ? 'good' : 'bad'),
    ),
    created: show.age((merchant) => merchant.createdAt),
    id: show.id((merchant) => merchant.id),
  },
  usual: 3,
  pageRows: 50,
  rows: pagedRows('merchants', CSV, (db, _, { cursor, limit, filter }) =>
    pageOfMerchants(db, { cursor, text: filter('q') ?? '', limit }),
  ),
  rowAddress: ({ id }) => `/console/operator/merchants/${id}`,
  acts: [addingAct('onboard', 'operator.merchants.onboard', () => '/operator/merchants/new')],
});
