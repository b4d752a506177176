import { html } from 'ghtml';
import { facts } from '#console/components/parts.ts';
import { titledTable } from '#console/components/table.ts';
import { instant, relativeTime } from '#console/components/values.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import { readForm, zoneField } from '#console/forms/form-field.ts';
import type { ShownForm } from '#console/forms/render-field.ts';
import { actForm, button, renderForm } from '#console/forms/render-form.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { isFreshSignIn } from '#console/model/decide-access.ts';
import {
  chooseTimeZone,
  endSessions,
  listOpenSessions,
  type OpenSession,
} from '#console/sessions/sessions.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { isId } from '#lib/new-id.ts';
import { ACCOUNT_TEXTS, grantName, merchantsOfGrants } from './people.ts';

/** A fresh sign-in that comes back here. */
const AGAIN = '/console/sign-in/again?next=%2Fconsole%2Faccount';

/** The person's own page, and the ends of sessions. */
export function registerAccountPages(routes: ConsoleRoutes): void {
  routes.page('/account', 'account.use', (deps, visit) => showAccount(deps, visit));
  routes.act('/account/time-zone', 'account.use', async (deps, visit, form) => {
    const read = readForm([accountZone(visit)], form);
    if ('values' in read) {
      await chooseTimeZone(deps, visit.viewer, read.values.timeZone || null);
      return { to: '/console/account', done: 'zoneSaved' };
    }
    return showAccount(deps, visit, { sent: form, faults: read.faults });
  });
  routes.act('/account/sign-out-everywhere', 'account.use', async (deps, { viewer, actor }) => {
    const { issuer, subject, kind } = viewer;
    await endSessions(deps, { issuer, subject }, actor);
    return { to: `/console/sign-in?out=${kind}` };
  });
  routes.act(
    '/operator/sessions/:session/end',
    'operator.sessions.end',
    async (deps, { params: { session: id = '' }, actor }) => {
      const count = isId(id) ? await endSessions(deps, { id }, actor) : 0;
      return { to: '/console/operator/sessions', done: count > 0 ? 'ended' : 'gone' };
    },
  );
}

/** The zone in which the person sees days and times. */
function accountZone({ language, viewer }: Visit) {
  const { text } = ACCOUNT_TEXTS[language];
  const field = { label: text('zone'), hint: text('zoneHint'), value: viewer.timeZone };
  return { ...zoneField(field, text('zoneNone')), fault: text('zoneFault') };
}

async function showAccount(
  deps: ConsoleDeps,
  visit: Visit,
  shown: ShownForm = {},
): Promise<ConsolePage> {
  const { viewer, language } = visit;
  const sessions = await listOpenSessions(deps, viewer);
  const merchants = await merchantsOfGrants(deps.db, viewer.grants);
  const { text } = ACCOUNT_TEXTS[language];
  const title = text('title');
  const roles = viewer.grants.map((grant) => grantName(language, grant, merchants));
  const isFresh = isFreshSignIn(viewer.signedInAt, visit.now);
  const again = isFresh ? '' : html` <a href="${AGAIN}">${text('confirm')}</a>`;
  const about = facts([
    [text('kind'), html`${text(`kind.${viewer.kind}`)}`],
    [text('issuer'), viewer.kind === 'OIDC' && html`${viewer.issuer}`],
    [text('subject'), viewer.kind === 'OIDC' && html`<code>${viewer.subject}</code>`],
    [text('proven'), instant(visit, viewer.signedInAt) + again],
    [text('ends'), html`!${instant(visit, viewer.endsAt)}, ${text('idle')}`],
  ]);
  const path = '/account/sign-out-everywhere';
  const endAll = actForm(visit, path, text('endAll'), { kind: 'danger' });
  const zone = renderForm(visit, {
    ...shown,
    action: '/account/time-zone',
    items: [{ ...accountZone(visit), isTitle: true }],
    buttons: button(text('zoneSave'), { kind: 'quiet' }),
  });
  return {
    title,
    head: { under: html`${[viewer.name, ...roles].join(' · ')}` },
    ...(shown.faults && { status: 422 }),
    body: html`<div class="panels">
<section class="card"><h2>${text('about')}</h2>!${about}</section>
<section class="card form"><h2>${text('zone')}</h2>!${zone}</section></div>
!${sessionTable(visit, sessions)}<section class="card set-apart"><p>${text('endAllNote')}</p>
!${endAll}</section>`,
  };
}

function sessionTable(visit: Visit, sessions: readonly OpenSession[]): string {
  const { text } = ACCOUNT_TEXTS[visit.language];
  return titledTable(text('sessions'), titled(visit, text, SESSIONS), sessions);
}

const SESSIONS: ListColumns<OpenSession> = {
  since: show.cell(({ createdAt, id }, visit) => {
    const isCurrent = id === visit.viewer.sessionId;
    const mark = html` (${ACCOUNT_TEXTS[visit.language].text('current')})`;
    return relativeTime(visit, createdAt) + (isCurrent ? mark : '');
  }),
  seen: show.age(({ seenAt }) => seenAt),
  kind: show.text(({ kind }, { language }) => ACCOUNT_TEXTS[language].text(`kind.${kind}`)),
};
