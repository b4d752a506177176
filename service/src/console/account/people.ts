import { html } from 'ghtml';
import type { Grant } from '#console/model/roles.ts';
import type { StoredSession } from '#console/sessions/session-store.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { Executor } from '#database/database.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { listNamedMerchants } from '#merchants/find-named-merchant.ts';

/** The names of the merchants of some grants, by id. */
export async function merchantsOfGrants(
  db: Executor,
  grants: readonly Grant[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(grants.map(({ merchantId }) => merchantId).filter((id) => id !== null));
  const merchants = await listNamedMerchants(db, [...ids]);
  return new Map(merchants.map(({ id, name }) => [id, name]));
}

/** A grant in words; a merchant that does not exist is named by its id. */
export function grantName(
  language: ConsoleLanguage,
  { role, merchantId }: Grant,
  merchants: ReadonlyMap<string, string>,
): string {
  const { text } = ACCOUNT_TEXTS[language];
  const name = text(`role.${role}`);
  if (merchantId === null) return name;
  return text('roleAt', { role: name, merchant: merchants.get(merchantId) ?? merchantId });
}

/** A person by name, with the subject at the identity provider, or the way of the sign-in. */
export function personCell(
  { name, kind, subject }: Pick<StoredSession, 'name' | 'kind' | 'subject'>,
  { language }: Visit,
): string {
  const how = kind === 'OIDC' ? subject : ACCOUNT_TEXTS[language].text('kind.LINK');
  return html`<strong>${name}</strong><br><span class="small">${how}</span>`;
}

export const ACCOUNT_TEXTS = pageTexts('console.account');
