import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { FieldFaultCode } from '#lib/problem.ts';

const LIST_TEXTS = pageTexts('console.lists');

/** How a value is typed, for the words about its form. */
export type TypedForm = 'text' | 'email' | 'phone' | 'amount' | 'id' | 'day' | 'zone' | 'choice';

/** The sentence at a field for a fault of its value: the calls' own sentences name JSON members. */
export function faultText(
  language: ConsoleLanguage,
  code: FieldFaultCode,
  form: TypedForm,
): string {
  const { text } = LIST_TEXTS[language];
  switch (code) {
    case 'INVALID_FORMAT':
      return form === 'email' || form === 'phone' || form === 'day' || form === 'id'
        ? text(`fault.format.${form}`)
        : text('fault.INVALID_FORMAT');
    case 'INVALID_VALUE':
      if (form === 'zone') return text('fault.format.zone');
      return form === 'day' || form === 'amount'
        ? text('fault.range')
        : text('fault.INVALID_VALUE');
    case 'IMMUTABLE_FIELD':
    case 'UNKNOWN_FIELD':
      return text('fault.INVALID_VALUE');
    default:
      // An id that is too short or too long has the wrong form.
      if (form === 'id') return text('fault.format.id');
      return text(`fault.${code}`);
  }
}
