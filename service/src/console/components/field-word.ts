import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { ConsoleField } from '#payment-requests/model/field-lists.ts';

const FIELD_TEXTS = pageTexts('console.fields');

/** The label of a field that merchants set, the same in the form, on the page and in the list. */
export function fieldWord(language: ConsoleLanguage, name: ConsoleField): string {
  return FIELD_TEXTS[language].text(`field.${name}`);
}
