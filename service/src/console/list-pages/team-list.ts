import { personCell } from '#console/account/people.ts';
import { ACCOUNT_TEXTS } from '#console/account/texts.ts';
import { badge } from '#console/components/badges.ts';
import { NONE } from '#console/components/table.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { age, cell, text } from '#console/lists/columns.ts';
import { type ListSpec, listAt, listWords } from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { pageOfTeam, type Teammate } from '#console/sessions/team.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';

const words = listWords('console.lists.team');
const CSV = csvForm({
  ...memberColumns<Teammate>('name', 'kind', 'subject', 'seenAt', 'isOpen'),
  roles: ({ roles }: Teammate) => roles.join(' '),
});

/** The people who have a role at a merchant. */
export const teamList = ({ clock }: Pick<ConsoleDeps, 'clock'>): ListSpec<Teammate> => ({
  ...listAt('team', words),
  filters: [],
  columns: {
    name: cell(personCell),
    role: text(({ roles }, { language }) =>
      roles.map((role) => ACCOUNT_TEXTS[language].text(`role.${role}`)).join(', '),
    ),
    seen: age(({ seenAt }) => seenAt),
    open: cell(({ isOpen }, { language }) =>
      isOpen ? badge(words(language).text('signedIn'), 'good') : NONE,
    ),
  },
  usual: 4,
  pageRows: 50,
  lead: 'lead',
  rows: pagedRows('team', CSV, (db, merchantId, asked) =>
    pageOfTeam({ db, clock }, `${merchantId}`, asked),
  ),
});
