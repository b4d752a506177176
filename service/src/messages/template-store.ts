import { allRows, execute, firstRowOrNull, firstValue, hasRows } from '#database/statements.ts';
import type { NewTemplate, Template } from '#messages/model/template.ts';

const CURRENT = `SELECT id, version, reply_to AS "replyTo", footer, texts,
     created_at AS "createdAt", archived_at AS "archivedAt"
   FROM message_templates WHERE merchant_id = $1 AND replaced_at IS NULL`;

/** The current version of a template, also of an archived one. */
export const findTemplate = firstRowOrNull<Template, [merchantId: string, id: string]>(
  'message-template-find',
  `${CURRENT} AND id = $2`,
);

/** The current versions, in the order of their ids; a merchant has few. */
export const findTemplates = allRows<Template, [merchantId: string]>(
  'message-template-list',
  `${CURRENT} ORDER BY id`,
);

export const countTemplates = firstValue<number, [merchantId: string]>(
  'message-template-count',
  `SELECT count(*)::int FROM message_templates WHERE merchant_id = $1 AND replaced_at IS NULL`,
  0,
);

/** Ends the current version of a template. */
export const replaceTemplate = execute<[merchantId: string, id: string]>(
  'message-template-replace',
  `UPDATE message_templates SET replaced_at = service_now()
   WHERE merchant_id = $1 AND id = $2 AND replaced_at IS NULL`,
);

export const insertTemplate = execute(
  'message-template-insert',
  `INSERT INTO message_templates (merchant_id, id, version, reply_to, footer, texts)
   VALUES ($1, $2, $3, $4, $5, $6)`,
  (merchantId: string, { id, replyTo, footer, texts }: NewTemplate, version: number) => [
    ...[merchantId, id, version, replyTo],
    ...[JSON.stringify(footer), JSON.stringify(texts)],
  ],
);

export const archiveTemplateRow = execute<[merchantId: string, id: string]>(
  'message-template-archive',
  `UPDATE message_templates SET archived_at = service_now()
   WHERE merchant_id = $1 AND id = $2 AND replaced_at IS NULL`,
);

/** Whether a version has an address for answers: then it was confirmed before. */
export const isReplyToKnown = hasRows<[merchantId: string, replyTo: string]>(
  'message-template-knows-reply-to',
  'SELECT FROM message_templates WHERE merchant_id = $1 AND reply_to = $2 LIMIT 1',
);
