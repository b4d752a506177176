import { type AuditedDeps, recordAct } from '#merchants/audit-log-store.ts';
import { lockKnownMerchant } from '#merchants/known-merchant.ts';
import {
  LONGEST_SMS_SENDER,
  type MessageSettings,
  MOST_REMINDER_HOURS,
  MOST_REMINDERS,
} from '#merchants/model/message-settings.ts';
import { Refusal } from '#merchants/operator-fault.ts';
import { hasTemplate, saveMessageSettings } from './settings-store.ts';

const SENDER = new RegExp(`^[A-Za-z0-9]{1,${LONGEST_SMS_SENDER}}$`);

/**
 * Changes what payers of a merchant are sent, for later payment requests (messages §1).
 *
 * @returns the settings from now on
 * @throws OperatorFault for an unknown merchant or template, and for an invalid value
 */
export function setMessages(
  { db, clock, actor }: AuditedDeps,
  merchantId: string,
  change: Partial<MessageSettings>,
): Promise<MessageSettings> {
  refuseInvalid(change);
  return db.transaction(async (tx) => {
    const { messageSettings: before } = await lockKnownMerchant(tx, merchantId);
    const settings = { ...before, ...change };
    const { templateId } = change;
    if (templateId && !(await hasTemplate(tx, merchantId, templateId))) {
      throw new Refusal('messages.template', { id: templateId });
    }
    if (JSON.stringify(settings) !== JSON.stringify(before)) {
      await saveMessageSettings(tx, merchantId, settings);
      const details = { ...settings, before };
      await recordAct(tx, { clock, actor }, 'MERCHANT_MESSAGES_CHANGED', merchantId, details);
    }
    return settings;
  });
}

function refuseInvalid({ reminders = [], smsSender = null }: Partial<MessageSettings>): void {
  const areHours = reminders.every(
    (hours) => Number.isInteger(hours) && hours >= 1 && hours <= MOST_REMINDER_HOURS,
  );
  if (
    !areHours ||
    reminders.length > MOST_REMINDERS ||
    new Set(reminders).size < reminders.length
  ) {
    throw new Refusal('messages.reminders', { most: MOST_REMINDERS, hours: MOST_REMINDER_HOURS });
  }
  if (smsSender !== null && !SENDER.test(smsSender)) {
    throw new Refusal('messages.smsSender', { most: LONGEST_SMS_SENDER });
  }
}
