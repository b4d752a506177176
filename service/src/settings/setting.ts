/** A setting: its meaning in words, its default, and the reader of its text. */
export interface Setting<Value> {
  readonly meaning: string;
  /** The text that replaces a missing one; absent: the setting is required. */
  readonly fallback?: string;
  /** Blanked in printed settings; `NAME_FILE` may name a file with the value. */
  readonly secret?: true;
  /** Reads the text. Throws an `Error` whose message ends the sentence "NAME …". */
  readonly read: (text: string) => Value;
}

/** A row of the table of settings, with the type of its value. */
export const setting = <Value>(definition: Setting<Value>): Setting<Value> => definition;
