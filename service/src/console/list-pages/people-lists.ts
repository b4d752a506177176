import { html } from 'ghtml';
import {
  ACCOUNT_TEXTS,
  grantName,
  merchantsOfGrants,
  personCell,
} from '#console/account/people.ts';
import { badge } from '#console/components/badges.ts';
import { NONE } from '#console/components/table.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { show } from '#console/lists/columns.ts';
import { type ListSpec, listAt, listWords } from '#console/lists/list-spec.ts';
import { pagedRows } from '#console/lists/paged-rows.ts';
import { grantText } from '#console/model/roles.ts';
import { listOpenSessions, type OpenSession } from '#console/sessions/sessions.ts';
import { pageOfTeam, type Teammate } from '#console/sessions/team.ts';
import { csvForm, memberColumns } from '#lib/csv.ts';
import { cutPage } from '#lib/cursor.ts';
import { isId } from '#lib/new-id.ts';

interface ListedSession extends OpenSession {
  /** The names of the grants' merchants, by id. */
  readonly merchants: ReadonlyMap<string, string>;
}

const words = listWords('console.lists.sessions');
const CSV = csvForm({
  ...memberColumns<ListedSession>('id', 'name', 'kind', 'subject', 'createdAt', 'seenAt'),
  roles: ({ grants }: ListedSession) => grants.map(grantText).join(' '),
});

/** The people who are signed in now, with the act that ends a session. */
export const sessionList = ({ clock }: Pick<ConsoleDeps, 'clock'>): ListSpec<ListedSession> => ({
  ...listAt('operator.sessions', words),
  filters: [],
  columns: {
    person: show.cell(personCell),
    roles: show.cell(
      ({ grants, merchants }, { language }) =>
        html`${grants.map((grant) => grantName(language, grant, merchants)).join(', ')}`,
    ),
    since: show.age(({ createdAt }) => createdAt),
    seen: show.age(({ seenAt }) => seenAt),
  },
  usual: 4,
  pageRows: 100,
  lead: 'lead',
  rows: pagedRows('console-sessions', CSV, async (db, _, { cursor, limit }) => {
    const page = { after: cursor !== null && isId(cursor) ? cursor : null, limit: limit + 1 };
    const found = cutPage(await listOpenSessions({ db, clock }, null, page), limit, ({ id }) => id);
    const merchants = await merchantsOfGrants(
      db,
      found.data.flatMap(({ grants }) => grants),
    );
    return { ...found, data: found.data.map((session) => ({ ...session, merchants })) };
  }),
  rowActs: [
    {
      word: 'end',
      may: 'operator.sessions.end',
      method: 'POST',
      look: 'slim',
      path: ({ id }) => `/operator/sessions/${id}/end`,
      name: ({ name }, { language }) => words(language).text('endOf', { name }),
    },
  ],
});

const teamWords = listWords('console.lists.team');
const TEAM_CSV = csvForm({
  ...memberColumns<Teammate>('name', 'kind', 'subject', 'seenAt', 'isOpen'),
  roles: ({ roles }: Teammate) => roles.join(' '),
});

/** The people who have a role at a merchant. */
export const teamList = ({ clock }: Pick<ConsoleDeps, 'clock'>): ListSpec<Teammate> => ({
  ...listAt('team', teamWords),
  filters: [],
  columns: {
    name: show.cell(personCell),
    role: show.text(({ roles }, { language }) =>
      roles.map((role) => ACCOUNT_TEXTS[language].text(`role.${role}`)).join(', '),
    ),
    seen: show.age(({ seenAt }) => seenAt),
    open: show.cell(({ isOpen }, { language }) =>
      isOpen ? badge(teamWords(language).text('signedIn'), 'good') : NONE,
    ),
  },
  usual: 4,
  pageRows: 50,
  lead: 'lead',
  rows: pagedRows('team', TEAM_CSV, (db, merchantId, asked) =>
    pageOfTeam({ db, clock }, `${merchantId}`, asked),
  ),
});
