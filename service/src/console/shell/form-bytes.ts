/**
 * The most bytes of a form's body, by what a person can put in. A character takes up to 12 bytes in
 * a form.
 */
export const FORM_BYTES = {
  /** The address of a page (1,500 characters), a pasted link, and the token. */
  signIn: 4_096,
  /** Buttons and choices: the token, ids, scopes, types of events. */
  choice: 4_096,
  /**
   * Typed texts: 2,000 characters of any language, a URL of 2,048 bytes and a text of 1,000, or 50
   * origins.
   */
  typed: 24_576,
  /** The texts of a template in one language: 19 of 500 characters. */
  texts: 131_072,
  /** A logo of 32 kB; the refusal of a larger one names that limit. */
  logo: 131_072,
} as const;

export type FormKind = Exclude<keyof typeof FORM_BYTES, 'signIn'>;
