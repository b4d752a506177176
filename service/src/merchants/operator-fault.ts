import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts, type TextKey } from '#http/pages/texts.ts';

/** An operator's request that cannot be done; the message gives the reason for people. */
export class OperatorFault extends Error {
  override name = 'OperatorFault';
  /** The field of a form that the reason is about; null: the reason is about no field alone. */
  readonly field: string | null;

  constructor(message: string, field: string | null = null) {
    super(message);
    this.field = field;
  }

  /** The reason on a page of the console. Commands have one language. */
  sentence(_language: ConsoleLanguage): string {
    return this.message;
  }
}

const TEXTS = pageTexts('console.refusals');
type Code = TextKey<'console.refusals'>;
type Values = Readonly<Record<string, string | number>>;

/**
 * An act that is refused to an operator or a merchant's person, in commands and on pages. The
 * English sentence names the option of a command.
 */
export class Refusal extends OperatorFault {
  readonly #code: Code;
  readonly #values: Values;

  /** @param more what commands say behind the sentence */
  constructor(code: Code, values: Values = {}, field: string | null = null, more = '') {
    super(TEXTS.en.text(code, values) + more, field);
    this.#code = code;
    this.#values = values;
  }

  override sentence(language: ConsoleLanguage): string {
    return TEXTS[language].text(this.#code, this.#values);
  }
}
