import { execute, firstRowOr } from '#database/statements.ts';

/** The messages that a merchant may send in an hour; null: as the deployment has it. */
export interface MessageLimits {
  readonly mailsPerHour: number | null;
  readonly smsPerHour: number | null;
}

export const findMessageLimits = firstRowOr<MessageLimits, [id: string]>(
  'merchant-find-message-limits',
  `SELECT mails_per_hour AS "mailsPerHour", sms_per_hour AS "smsPerHour"
   FROM merchants WHERE id = $1`,
  { mailsPerHour: null, smsPerHour: null },
);

export const saveMessageLimits = execute<[id: string, limits: MessageLimits]>(
  'merchant-save-message-limits',
  'UPDATE merchants SET mails_per_hour = $2, sms_per_hour = $3 WHERE id = $1',
  (id, { mailsPerHour, smsPerHour }) => [id, mailsPerHour, smsPerHour],
);
