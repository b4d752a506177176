import { html } from 'ghtml';
import { relativeText } from '#console/components/values.ts';
import { formOf } from '#console/forms/form-field.ts';
import type { ShownForm } from '#console/forms/render-field.ts';
import { button, type FormPage, formPage } from '#console/forms/render-form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { CredentialList } from '#merchants/credentials/list.ts';
import { LONGEST_OVERLAP_HOURS } from '#merchants/credentials/rotate.ts';
import { FULL_SCOPE, SCOPES, type Scope } from '#merchants/scopes.ts';
import { credentialsPath } from './list-page.ts';
import { CREDENTIAL_TEXTS } from './texts.ts';

/** A working day on each side of the change: long enough to roll out, short enough to matter. */
const USUAL_OVERLAP_HOURS = '24';

/** How long the current credentials go on; the form names the newest key that it saw. */
export function rotateFields(visit: Visit, { apiKeys }: CredentialList, username: string) {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const most = LONGEST_OVERLAP_HOURS;
  return formOf(
    { name: 'username', kind: 'hidden', value: username },
    { name: 'seen', kind: 'hidden', value: apiKeys[0]?.id },
    {
      name: 'overlap',
      kind: 'whole',
      label: text('overlap'),
      hint: text('overlapHint', { most }),
      fault: text('hoursFault', { most }),
      value: USUAL_OVERLAP_HOURS,
      most,
      isRequired: true,
    },
  );
}

export function rotatePage(
  visit: Visit,
  found: CredentialList,
  username: string,
  shown: ShownForm = {},
): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const onPage = button(text('rotateShow'), { name: 'as', value: 'page' });
  const asFile = button(text('rotateFile'), { kind: 'quiet', name: 'as', value: 'file' });
  return framed(visit, {
    title: text('rotateTitle'),
    under: text('rotateLead', { username }),
    ...shown,
    items: rotateFields(visit, found, username),
    buttons: html`!${onPage} !${asFile}`,
  });
}

const NARROWEST_FIRST: readonly Scope[] = [
  ...SCOPES.filter((scope) => scope !== FULL_SCOPE),
  FULL_SCOPE,
];

/** The scopes of another username: none is ticked, since it is for fewer rights. */
export function createFields(visit: Visit, { credentials }: CredentialList) {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  return formOf(
    { name: 'seen', kind: 'hidden', value: `${credentials.length}` },
    {
      name: 'scope',
      kind: 'boxes',
      label: text('scopes'),
      fault: text('scopesFault'),
      isRequired: true,
      options: NARROWEST_FIRST.map((scope) => [
        scope,
        html`<span>${text(`scope.${scope}`)} <code class="small">${scope}</code></span>`,
      ]),
    },
  );
}

export function createPage(
  visit: Visit,
  found: CredentialList,
  shown: ShownForm = {},
): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  return framed(visit, {
    title: text('createTitle'),
    under: text('createLead'),
    ...shown,
    items: createFields(visit, found),
    buttons: button(text('create')),
  });
}

/** The username or API key that a person wants to revoke, as the list shows it. */
export interface Revocable {
  readonly member: 'username' | 'key';
  readonly id: string;
  /** The username, or the first characters of the key. */
  readonly name: string;
  /** An instant; null: it was never used. */
  readonly lastUse: string | null;
}

/** Asks once more: a revocation is for good. */
export function revokePage(visit: Visit, { member, id, name, lastUse }: Revocable): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const next = text(member === 'key' ? 'revokeKeyNext' : 'revokeUsernameNext');
  return framed(visit, {
    title: text(member === 'key' ? 'revokeKey' : 'revokeUsername', { name }),
    lead: html`<p>${next}</p><p><strong>${
      lastUse === null
        ? text('unused')
        : text('lastUsed', { when: relativeText(visit, new Date(lastUse)) })
    }</strong></p>`,
    items: [{ name: member, kind: 'hidden', value: id }],
    buttons: button(text('confirm'), { kind: 'danger' }),
  });
}

/** A page below the list, with a way back. */
export function framed(visit: Visit, page: Omit<FormPage, 'back'>): ConsolePage {
  const name = CREDENTIAL_TEXTS[visit.language].text('title');
  const back = { href: `/console${credentialsPath(visit.merchantId)}`, name };
  return formPage(visit, { ...page, back });
}
