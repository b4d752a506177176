import { isDeepStrictEqual } from 'node:util';
import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import { findProfile } from '#merchants/profile/find-profile.ts';
import type { NewTemplate, Template } from '#messages/model/template.ts';
import { linkedOrigins } from '#messages/model/unlinked-text.ts';
import {
  archiveTemplateRow,
  countTemplates,
  findTemplate,
  insertTemplate,
  isReplyToKnown,
  replaceTemplate,
} from '#messages/template-store.ts';
import { readTemplate } from './read-template.ts';
import { knownTemplate } from './read-templates.ts';
import { refused } from './template-fault.ts';

/** Some a season and a business unit; a page of the console lists them all. */
export const MOST_TEMPLATES = 100;

export interface TemplateChange {
  readonly merchantId: string;
  /** The content of a file or a form. */
  readonly template: unknown;
  /** The version that the person saw, 0 for none; null: any. */
  readonly version: number | null;
  /** A person of the merchant gives it: only operators confirm an address for answers. */
  readonly isByMerchant: boolean;
}

export interface ChangedTemplate {
  readonly template: Template;
  /** Whether it is a new version. */
  readonly isNew: boolean;
}

/**
 * Writes a version of a template; equal content writes nothing. An archived one counts again.
 *
 * @throws OperatorFault for an unknown merchant; TemplateFault
 */
export function setTemplate(
  { db, clock, actor }: AuditedDeps,
  { merchantId, template: given, version, isByMerchant }: TemplateChange,
): Promise<ChangedTemplate> {
  return db.transaction(async (tx) => {
    const { returnOrigins } = await lockKnownMerchant(tx, merchantId);
    const profile = await findProfile(tx, merchantId);
    const template = readTemplate(given, linkedOrigins(returnOrigins, profile.website));
    const { id, replyTo } = template;
    const isConfirmed = !isByMerchant || replyTo === null || replyTo === profile.supportEmail;
    if (!isConfirmed && !(await isReplyToKnown(tx, merchantId, replyTo))) {
      throw refused('replyTo', 'UNCONFIRMED');
    }
    const before = await findTemplate(tx, merchantId, id);
    const seen = before?.version ?? 0;
    if (version !== null && version !== seen) {
      throw refused('id', version === 0 ? 'TAKEN' : 'CHANGED');
    }
    if (before?.archivedAt === null && isEqual(template, before)) {
      return { template: before, isNew: false };
    }
    if (!before && (await countTemplates(tx, merchantId)) >= MOST_TEMPLATES) {
      throw refused('id', 'TOO_MANY');
    }
    await replaceTemplate(tx, merchantId, id);
    await insertTemplate(tx, merchantId, template, seen + 1);
    const details = { templateId: id, version: seen + 1 };
    await recordAct(tx, { clock, actor }, 'MESSAGE_TEMPLATE_CHANGED', merchantId, details);
    return { template: await knownTemplate(tx, merchantId, id), isNew: true };
  });
}

/**
 * Archives a template: no new payment request can name it, and those that did keep it.
 *
 * @throws OperatorFault for an unknown merchant; TemplateFault
 */
export function archiveTemplate(
  { db, clock, actor }: AuditedDeps,
  merchantId: string,
  id: string,
): Promise<Template> {
  return db.transaction(async (tx) => {
    const { messageSettings } = await lockKnownMerchant(tx, merchantId);
    const { version, archivedAt } = await knownTemplate(tx, merchantId, id);
    if (messageSettings.templateId === id) throw refused('id', 'IS_DEFAULT');
    if (archivedAt === null) {
      await archiveTemplateRow(tx, merchantId, id);
      const details = { templateId: id, version };
      await recordAct(tx, { clock, actor }, 'MESSAGE_TEMPLATE_ARCHIVED', merchantId, details);
    }
    return knownTemplate(tx, merchantId, id);
  });
}

function isEqual({ replyTo, footer, texts }: NewTemplate, before: Template): boolean {
  const { replyTo: oldReplyTo, footer: oldFooter, texts: oldTexts } = before;
  return isDeepStrictEqual([replyTo, footer, texts], [oldReplyTo, oldFooter, oldTexts]);
}
