import { html } from 'ghtml';
import { postForm, textField } from '#console/components/form.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import type { CredentialList } from '#merchants/credentials/list.ts';
import { LONGEST_OVERLAP_HOURS } from '#merchants/credentials/rotate.ts';
import { FULL_SCOPE, SCOPES } from '#merchants/scopes.ts';
import { credentialsPath } from './list-page.ts';
import { CREDENTIAL_TEXTS } from './texts.ts';

/** A working day on each side of the change: long enough to roll out, short enough to matter. */
export const USUAL_OVERLAP_HOURS = '24';

interface Refused {
  readonly fault?: string;
  readonly value?: string;
}

/** Asks how long the current credentials go on; the form names the newest key that it saw. */
export function rotatePage(
  visit: Visit,
  { apiKeys }: CredentialList,
  username: string,
  { fault, value = USUAL_OVERLAP_HOURS }: Refused = {},
): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const most = LONGEST_OVERLAP_HOURS;
  const body = html`<input type="hidden" name="username" value="${username}">
<input type="hidden" name="seen" value="${apiKeys[0]?.id ?? ''}">
!${textField({
    name: 'overlap',
    label: text('overlap'),
    value,
    hint: text('overlapHint', { most }),
    fault,
    maxLength: 3,
    isRequired: true,
  })}
<div class="actions"><button class="button" name="as" value="page">${text('rotateShow')}</button>
<button class="button quiet" name="as" value="file">${text('rotateFile')}</button></div>`;
  const action = `${credentialsPath(visit.merchantId)}/rotate`;
  return framed(visit, text('rotateTitle'), {
    fault,
    body: html`<p>${text('rotateLead', { username })}</p>!${postForm(visit, { action, body })}`,
  });
}

/** Asks for the scopes of another username. */
export function createPage(
  visit: Visit,
  { credentials }: CredentialList,
  { fault }: Refused = {},
): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const boxes = SCOPES.map(
    (scope) => html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"
!${scope === FULL_SCOPE ? ' checked' : ''}> <code>${scope}</code></label>`,
  );
  const body = html`<input type="hidden" name="seen" value="${credentials.length}">
<fieldset><legend>${text('scopes')}</legend>
!${fault ? html`<span class="fault">${fault}</span>` : ''}!${boxes.join('')}</fieldset>
<div class="actions"><button class="button">${text('create')}</button></div>`;
  const action = `${credentialsPath(visit.merchantId)}/new`;
  return framed(visit, text('createTitle'), {
    fault,
    body: html`<p>${text('createLead')}</p>!${postForm(visit, { action, body })}`,
  });
}

/** The username or API key that a person wants to revoke, as the list shows it. */
export interface Revocable {
  readonly member: 'username' | 'key';
  readonly id: string;
  /** The username, or the first characters of the key. */
  readonly name: string;
}

/** Asks once more: a revocation is for good. */
export function revokePage(visit: Visit, { member, id, name }: Revocable): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[visit.language];
  const title = text(member === 'key' ? 'revokeKey' : 'revokeUsername', { name });
  const next = text(member === 'key' ? 'revokeKeyNext' : 'revokeUsernameNext');
  const body = html`<input type="hidden" name="${member}" value="${id}">
<div class="actions"><button class="button danger">${text('confirm')}</button>
<a class="button quiet" href="/console${credentialsPath(visit.merchantId)}">${text('back')}</a>
</div>`;
  const action = `${credentialsPath(visit.merchantId)}/revoke`;
  return framed(visit, title, {
    body: html`<p>${next}</p>!${postForm(visit, { action, body })}`,
  });
}

/** A page below the list, with a way back. */
export function framed(
  { merchantId, language }: Visit,
  title: string,
  { body, fault }: { readonly body: string; readonly fault?: string | undefined },
): ConsolePage {
  const { text } = CREDENTIAL_TEXTS[language];
  return {
    title,
    section: 'credentials',
    ...(fault !== undefined && { status: 422 }),
    body: html`<h1>${title}</h1>!${body}
<p><a href="/console${credentialsPath(merchantId)}">${text('back')}</a></p>`,
  };
}
