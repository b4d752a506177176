/** A setting: its meaning in words, its default, and the reader of its text. */
export interface Setting<Value> {
  readonly meaning: string;
  /** The text that replaces a missing one; absent: the setting is required. */
  readonly fallback?: string;
  /** Blanked in printed settings; `NAME_FILE` may name a file with the value. */
  readonly secret?: true;
  /** The file of a secret is refused where every user of the machine may read it. */
  readonly isPrivate?: true;
  /** A repetition of another setting, as BANK_SFTP_2_URL: not described before it is set. */
  readonly isFurther?: boolean;
  /** Reads the text. Throws an `Error` whose message ends the sentence "NAME …". */
  readonly read: (text: string) => Value;
}

/** A row of the table of settings, with the type of its value. */
export const setting = <Value>(definition: Setting<Value>): Setting<Value> => definition;

/** A setting that may lack, and is null then. */
export const optionalSetting = <Value>({
  read,
  ...definition
}: Omit<Setting<Value>, 'fallback'>): Setting<Value | null> => ({
  ...definition,
  fallback: '',
  read: (text) => (text === '' ? null : read(text)),
});

/** `BANK_SFTP_2_URL` as `bankSftp_2Url`: the name of a setting in the configuration. */
export function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
