import { execute, hasRows } from '#database/statements.ts';
import type { MessageSettings } from '#merchants/model/message-settings.ts';

export const saveMessageSettings = execute<[merchantId: string, settings: MessageSettings]>(
  'merchant-save-message-settings',
  'UPDATE merchants SET message_settings = $2 WHERE id = $1',
  (merchantId, settings) => [merchantId, JSON.stringify(settings)],
);

/** Whether new payment requests of a merchant can name a template. */
export const hasTemplate = hasRows<[merchantId: string, id: string]>(
  'merchant-has-message-template',
  `SELECT FROM message_templates
   WHERE merchant_id = $1 AND id = $2 AND replaced_at IS NULL AND archived_at IS NULL`,
);
