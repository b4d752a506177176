import { html } from 'ghtml';
import { emptyState } from '#console/components/empty-state.ts';
import { postForm } from '#console/components/form.ts';
import { instant } from '#console/components/instant.ts';
import { column, rowHeader, table } from '#console/components/table.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { endSessions, listOpenSessions, type OpenSession } from '#console/sessions/end-sessions.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { isId } from '#lib/new-id.ts';
import { grantName, merchantsOfGrants } from './grant-names.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

/** Operators see who is signed in, and end sessions. */
export function registerSessionPages(routes: ConsoleRoutes, deps: ConsoleDeps): void {
  routes.page('/operator/sessions', 'operator.sessions.read', async (visit) => {
    const sessions = await listOpenSessions(deps);
    const grants = sessions.flatMap((session) => session.grants);
    return sessionsPage(visit, sessions, await merchantsOfGrants(deps.db, grants));
  });
  routes.act(
    '/operator/sessions/:session/end',
    'operator.sessions.end',
    'choice',
    async ({ params, actor }) => {
      const { session: id = '' } = params;
      const count = isId(id) ? await endSessions(deps, { id }, actor) : 0;
      return { to: '/console/operator/sessions', done: count > 0 ? 'ended' : 'gone' };
    },
  );
}

function sessionsPage(
  visit: Visit,
  sessions: readonly OpenSession[],
  merchants: ReadonlyMap<string, string>,
): ConsolePage {
  const { text } = ACCOUNT_TEXTS[visit.language];
  const title = text('peopleTitle');
  const list =
    sessions.length === 0 ? emptyState(text('none')) : peopleTable(visit, sessions, merchants);
  const full = sessions.length < 200 ? '' : html`<p class="quiet">${text('peopleFull')}</p>`;
  return {
    title,
    section: 'operator.sessions',
    body: html`<h1>${title}</h1><p class="quiet">${text('peopleLead')}</p>!${list}!${full}`,
  };
}

function peopleTable(
  visit: Visit,
  sessions: readonly OpenSession[],
  merchants: ReadonlyMap<string, string>,
): string {
  const { language } = visit;
  const { text } = ACCOUNT_TEXTS[language];
  const columns = [
    rowHeader(
      text('person'),
      ({ name, kind, subject }: OpenSession) =>
        html`${name}<br><span class="small">!${
          kind === 'OIDC' ? html`<code>${subject}</code>` : text('kind.LINK')
        }</span>`,
    ),
    column(
      text('roles'),
      ({ grants }: OpenSession) =>
        html`${grants.map((grant) => grantName(language, grant, merchants)).join(', ')}`,
    ),
    column(text('since'), ({ createdAt }: OpenSession) => instant(visit, createdAt)),
    column(text('seen'), ({ seenAt }: OpenSession) => instant(visit, seenAt)),
    ...(visit.can('operator.sessions.end')
      ? [column(text('end'), (session: OpenSession) => endForm(visit, session))]
      : []),
  ];
  return table(text('peopleTitle'), columns, sessions);
}

function endForm(visit: Visit, { id, name }: OpenSession): string {
  const { text } = ACCOUNT_TEXTS[visit.language];
  return postForm(visit, {
    action: `/operator/sessions/${id}/end`,
    body: html`<button class="link" aria-label="${text('endOf', { name })}"
>${text('end')}</button>`,
  });
}
