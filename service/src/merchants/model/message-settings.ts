/** The messages to payers, where a payment request leaves the choice open (messages §1). */
export interface MessageSettings {
  /** Whole hours before the expiry. */
  readonly reminders: readonly number[];
  readonly receipt: boolean;
  readonly quietHours: boolean;
  /** The sender of an SMS; null: the provider's own. */
  readonly smsSender: string | null;
  /** The template of e-mails; null: the texts of the deployment. */
  readonly templateId: string | null;
}

/** The settings of a new merchant: nothing is sent that no call asks for. */
export const FIRST_MESSAGE_SETTINGS: MessageSettings = {
  reminders: [],
  receipt: false,
  quietHours: true,
  smsSender: null,
  templateId: null,
};

/** More reminders than these are a nuisance (messages §1). */
export const MOST_REMINDERS = 3;
/** A month before the expiry. */
export const MOST_REMINDER_HOURS = 720;
/** Networks carry no longer sender in letters (GSM 03.38). */
export const LONGEST_SMS_SENDER = 11;
