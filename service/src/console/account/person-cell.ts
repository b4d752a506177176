import { html } from 'ghtml';
import type { StoredSession } from '#console/sessions/session-store.ts';
import type { Visit } from '#console/shell/visit.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

/** A person by name, with the subject at the identity provider, or the way of the sign-in. */
export function personCell(
  { name, kind, subject }: Pick<StoredSession, 'name' | 'kind' | 'subject'>,
  { language }: Visit,
): string {
  const how = kind === 'OIDC' ? subject : ACCOUNT_TEXTS[language].text('kind.LINK');
  return html`<strong>${name}</strong><br><span class="small">${how}</span>`;
}
