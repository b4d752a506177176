import { html } from 'ghtml';
import { badge } from '#console/components/badges.ts';
import { addingAct } from '#console/lists/acts.ts';
import { age, cell, text } from '#console/lists/columns.ts';
import { type ListSpec, listAt, listWords } from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';
import type { Template } from '#messages/model/template.ts';
import { listTemplates } from '#messages/templates/read-templates.ts';

const words = listWords('console.lists.templates');
const ADD = addingAct(
  'add',
  'templates.change',
  ({ merchantId }) => `/m/${merchantId}/templates/new`,
);

/** The templates of a merchant: so few that they are one page. */
export const templateList = (): ListSpec<Template> => ({
  ...listAt('templates', words),
  filters: [],
  columns: {
    template: cell(({ id }) => html`<code>${id}</code>`),
    state: cell(({ archivedAt }, { language }) => {
      const { text: word } = words(language);
      return archivedAt ? badge(word('archived'), 'neutral') : badge(word('inUse'), 'good');
    }),
    languages: text(({ texts, footer }) =>
      [...new Set([...Object.keys(texts), ...Object.keys(footer)])].sort().join(', '),
    ),
    version: cell(({ version }) => `${version}`),
    changed: age(({ createdAt }) => createdAt),
  },
  usual: 5,
  lead: 'lead',
  rows: pagedRows(
    'message-templates',
    csvForm(memberColumns<Template>('id', 'version', 'replyTo', 'createdAt', 'archivedAt')),
    async (db, merchantId) => ({
      data: await listTemplates(db, `${merchantId}`),
      nextCursor: null,
    }),
  ),
  rowAddress: ({ id }, { merchantId }) => `/console/m/${merchantId}/template/${id}`,
  acts: [ADD],
  emptyActs: [ADD],
});
