import { html } from 'ghtml';
import { badge, toneOf } from '#console/components/badges.ts';
import { emptyState } from '#console/components/parts.ts';
import { titledTable } from '#console/components/table.ts';
import { relativeText, relativeTime } from '#console/components/values.ts';
import { type Act, actsColumn, renderActs } from '#console/lists/acts.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { CredentialList } from '#merchants/credentials/list.ts';

const HOUR_MS = 3_600_000;

type Username = CredentialList['credentials'][number];
type ApiKey = CredentialList['apiKeys'][number];

/** The path of a merchant's credentials, below `/console`. */
export function credentialsPath(merchantId: string): string {
  return `/m/${merchantId}/credentials`;
}

const act = <Of extends { readonly status: ApiKey['status'] }>(
  word: 'rotate' | 'revoke',
  queryOf: (of: Of) => string,
): Act<Of> => ({
  word,
  may: 'credentials.change',
  look: 'text',
  path: (of, { merchantId }) =>
    of.status === 'LIVE' ? `${credentialsPath(merchantId)}/${word}?${queryOf(of)}` : null,
});
const byName = ({ username }: Username) => `username=${username}`;
const USERNAME_ACTS = [act('rotate', byName), act('revoke', byName)];
const API_KEY_ACTS = [act('revoke', ({ id }: ApiKey) => `key=${id}`)];
const CREATE: Act = {
  word: 'create',
  may: 'credentials.change',
  path: (_, { merchantId }) => `${credentialsPath(merchantId)}/new`,
};

/** A merchant's usernames and API keys, with their ends and last uses. */
export function renderCredentials(visit: Visit, list: CredentialList): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const { credentials, apiKeys } = list;
  const isNothingLive = ![...credentials, ...apiKeys].some(({ status }) => status === 'LIVE');
  const acts = renderActs(visit, text, [CREATE], undefined);
  const actsOf = <Row>(list: readonly Act<Row>[]) =>
    actsColumn(visit, text, () => text('act'), list);
  const usernames = [...titled(visit, text, USERNAMES), ...actsOf(USERNAME_ACTS)];
  const keys = [...titled(visit, text, API_KEYS), ...actsOf(API_KEY_ACTS)];
  return {
    title: text('title'),
    head: { under: html`${text('lead')}`, acts },
    body: html`!${isNothingLive ? emptyState(text('nothingLive')) : ''}
!${overlapCard(visit, apiKeys)}
!${titledTable(text('usernames'), usernames, credentials)}
!${titledTable(text('apiKeys'), keys, apiKeys)}
<p class="small">${text('lastUseHint')}</p>`,
  };
}

/** The old key of a rotation: its end, and whether a program still uses the key. */
function overlapCard(visit: Visit, apiKeys: readonly ApiKey[]): string {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const [newest] = apiKeys;
  const old = apiKeys.find(({ status, endDateTime }) => status === 'LIVE' && endDateTime !== null);
  if (!newest || !old || old.endDateTime === null) return '';
  const used = useSince(visit, old.lastUseDateTime, new Date(newest.createdDateTime));
  const ends = text('overlapEnds', {
    hint: old.hint,
    when: relativeText(visit, new Date(old.endDateTime)),
  });
  return html`<div class="card"><h2>${text('overlapTitle')}</h2><p><strong>${ends}</strong>
${used}</p></div>`;
}

/** Whether the old key was used since the rotation. A use is noted once an hour. */
function useSince(visit: Visit, lastUse: string | null, rotatedAt: Date): string {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  if (lastUse === null) return text('overlapUnused');
  const at = new Date(lastUse);
  const when = relativeText(visit, at);
  if (at > rotatedAt) return text('overlapUsed', { when });
  const isOver = at.getTime() + HOUR_MS <= rotatedAt.getTime();
  return isOver ? text('overlapUnused') : text('overlapUnsure', { when });
}

const statusColumn = show.cell(({ status }: Pick<ApiKey, 'status'>, { language }: Visit) =>
  badge(CREDENTIAL_TEXTS[language].text(status), toneOf(status)),
);

const USERNAMES: ListColumns<Username> = {
  username: show.cell(({ username }) => html`<code>${username}</code>`),
  status: statusColumn,
  scopes: show.text(({ scopes }) => scopes.join(', ')),
  passwords: show.cell(({ passwords }, visit) => {
    const lines = passwords.map((each) => passwordLine(visit, each));
    return `<ul class="plain">${lines.join('')}</ul>`;
  }),
};

function passwordLine(
  visit: Visit,
  { endDateTime, lastUseDateTime }: Username['passwords'][number],
) {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const end =
    endDateTime === null
      ? html`${text('current')}`
      : html`${text('ends')} !${relativeTime(visit, new Date(endDateTime))}`;
  const used = lastUse(visit, lastUseDateTime, text('lastUse'));
  return html`<li>!${end}<br><span class="small">!${used}</span></li>`;
}

const API_KEYS: ListColumns<ApiKey> = {
  apiKey: show.cell(({ hint }) => html`<code>${hint}…</code>`),
  status: statusColumn,
  created: show.age(({ createdDateTime }) => new Date(createdDateTime)),
  ends: show.cell((key, visit) => endOf(visit, key)),
  lastUse: show.cell((key, visit) => lastUse(visit, key.lastUseDateTime)),
};

function endOf(visit: Visit, { endDateTime }: ApiKey): string {
  if (endDateTime === null) return html`${CREDENTIAL_TEXTS[visit.language].text('never')}`;
  return relativeTime(visit, new Date(endDateTime));
}

/** @param label stands before the time where no heading says what it is */
function lastUse(visit: Visit, at: string | null, label = ''): string {
  if (at === null) return html`${CREDENTIAL_TEXTS[visit.language].text('unused')}`;
  return html`${label} !${relativeTime(visit, new Date(at))}`.trim();
}

export const CREDENTIAL_TEXTS = pageTexts('console.credentials');
