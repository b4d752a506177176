import type { Executor } from '#database/database.ts';
import { findKnownMerchant } from '#merchants/known-merchant.ts';
import { findProfile } from '#merchants/profile/find-profile.ts';
import type { NewTemplate, Template } from '#messages/model/template.ts';
import { linkedOrigins } from '#messages/model/unlinked-text.ts';
import { findTemplate, findTemplates } from '#messages/template-store.ts';
import { readTemplate } from './read-template.ts';
import { refused } from './template-fault.ts';

/** The current versions of a merchant's templates. @throws OperatorFault for an unknown merchant */
export async function listTemplates(db: Executor, merchantId: string): Promise<Template[]> {
  await findKnownMerchant(db, merchantId);
  return findTemplates(db, merchantId);
}

/** The current version of a template, archived or not; null: there is none. */
export function readStoredTemplate(
  db: Executor,
  merchantId: string,
  id: string,
): Promise<Template | null> {
  return findTemplate(db, merchantId, id);
}

/** The current version of a template, archived or not. @throws TemplateFault NO_TEMPLATE */
export async function knownTemplate(
  db: Executor,
  merchantId: string,
  id: string,
): Promise<Template> {
  const template = await findTemplate(db, merchantId, id);
  if (!template) throw refused('id', 'NO_TEMPLATE');
  return template;
}

/** A template that is not stored. @throws OperatorFault for an unknown merchant; TemplateFault */
export async function checkTemplate(
  db: Executor,
  merchantId: string,
  given: unknown,
): Promise<NewTemplate> {
  const { returnOrigins } = await findKnownMerchant(db, merchantId);
  const { website } = await findProfile(db, merchantId);
  return readTemplate(given, linkedOrigins(returnOrigins, website));
}

/** The facts on which a change of a template rests. */
export async function templateState(db: Executor, merchantId: string, id: string) {
  const template = await findTemplate(db, merchantId, id);
  return {
    templateVersion: template?.version ?? null,
    templateArchived: template && template.archivedAt !== null,
  };
}
