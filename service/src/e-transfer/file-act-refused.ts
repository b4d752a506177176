import { pageTexts, type TextKey } from '#http/pages/texts.ts';

const TEXTS = pageTexts('console.refusals');
type Values = Readonly<Record<string, string | number>>;
type FileActCode = Extract<
  TextKey<'console.refusals'>,
  `paymentFile.${string}` | `bankToken.${string}`
>;

/** Why a payment file or token cannot have the act; the message is the English sentence. */
export class FileActRefused extends Error {
  override readonly name = 'FileActRefused';
  readonly code: FileActCode;
  readonly values: Values;

  constructor(code: FileActCode, values: Values = {}) {
    super(TEXTS.en.text(code, values));
    this.code = code;
    this.values = values;
  }
}
