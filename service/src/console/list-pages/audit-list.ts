import { html } from 'ghtml';
import type { EntryMembers } from '#audit/entry-members.ts';
import { listAuditLog, listMerchantAudit } from '#audit/list-audit-log.ts';
import { objectOf, renderDetails, requestOf } from '#console/audit/render-details.ts';
import { actorName, actWords } from '#console/components/act-sentence.ts';
import { relativeTime } from '#console/components/values.ts';
import { show } from '#console/lists/columns.ts';
import { type ListFilter, type ListSpec, listAt, listWords } from '#console/lists/list-spec.ts';
import { MERCHANT_FILTER, merchantLink, type Named, namedRows } from '#console/lists/named-rows.ts';
import { type AskedPage, pagedRows } from '#console/lists/paged-rows.ts';
import { type OfRequest, withRequests } from '#console/lists/rows-of-requests.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';

const words = listWords('console.lists.audit');
const LONGEST_TEXT = 100;
const ACTION: ListFilter = { name: 'action', form: 'text', maxLength: LONGEST_TEXT };

type Row = OfRequest<EntryMembers>;

const COLUMNS = {
  what: show.text<Row>((entry, visit) =>
    [actWords(visit, entry), objectOf(visit, entry)].filter(Boolean).join(' · '),
  ),
  who: show.text<Row>(({ actor }, visit) => actorName(visit, actor)),
  /** A planted entry can have an instant that no calendar has. */
  when: show.cell<Row>(({ occurredAt }, visit) => {
    const at = new Date(occurredAt);
    return Number.isNaN(at.getTime()) ? html`${occurredAt}` : relativeTime(visit, at);
  }),
  details: show.cell<Row>((entry, visit) => renderDetails(visit, entry)),
  action: show.id<Row>((entry) => entry.action),
};
const CSV = {
  occurredDateTime: ({ occurredAt }: EntryMembers) => occurredAt,
  ...memberColumns<EntryMembers>('action', 'actor'),
};
const details = ({ details }: EntryMembers) => JSON.stringify(details);

const OF_ALL = {
  days: { names: ['since', 'until'], parameters: ['since', 'until'] },
  isLenient: true,
  pageRows: 50,
} as const;

/** The audit log of one merchant. Positions and hashes would tell how much others do. */
export const ownAuditList = (): ListSpec<Row> => ({
  ...OF_ALL,
  ...listAt('audit', words),
  filters: [ACTION],
  columns: COLUMNS,
  usual: 4,
  lead: 'leadOwn',
  rows: withRequests(
    pagedRows('audit-log', csvForm({ ...CSV, details }), (db, merchantId, query) =>
      listMerchantAudit(db, `${merchantId}`, askedOf(query)),
    ),
    requestOf,
  ),
  acts: [{ word: 'export', path: (_, { merchantId }) => `/m/${merchantId}/audit/export` }],
  frame: ({ language }) => exportHint(words(language).text('exportHint')),
});

/** The audit log of all merchants, for operators. */
export const auditList = (): ListSpec<Named<Row>> => ({
  ...OF_ALL,
  ...listAt('operator.audit', words),
  filters: [ACTION, { name: 'actor', form: 'text', maxLength: LONGEST_TEXT }, MERCHANT_FILTER],
  columns: {
    what: COLUMNS.what,
    who: COLUMNS.who,
    merchant: merchantLink((merchantId) => `/operator/merchants/${merchantId}`),
    when: COLUMNS.when,
    details: COLUMNS.details,
    action: COLUMNS.action,
    position: show.count((entry) => entry.position),
    hash: show.code((entry) => entry.hash),
  },
  usual: 5,
  lead: 'lead',
  rows: namedRows(
    withRequests(
      pagedRows(
        'audit-log',
        csvForm({
          ...CSV,
          ...memberColumns<EntryMembers>('merchantId', 'position', 'hash'),
          details,
        }),
        (db, _, query) =>
          listAuditLog(db, {
            ...askedOf(query),
            actor: query.filter('actor'),
            merchantId: query.filter('merchant'),
          }),
      ),
      requestOf,
    ),
  ),
  acts: [
    { word: 'export', path: () => '/operator/audit/export' },
    { word: 'verify', path: () => '/operator/audit/verify' },
  ],
  frame: ({ language }) => exportHint(words(language).text('exportHint')),
});

function exportHint(hint: string) {
  return { intro: html`<p class="small">${hint}</p>` };
}

function askedOf({ cursor, limit, filter }: AskedPage) {
  const instant = (name: string) => {
    const text = filter(name);
    return text === null ? null : new Date(text);
  };
  const action = filter('action')?.toUpperCase() ?? null;
  return { action, since: instant('since'), until: instant('until'), cursor, limit };
}
