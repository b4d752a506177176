import type { Refusal } from '#console/forms/render-form.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { upperFirst } from '#lib/words/upper-first.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

export const OPERATOR_TEXTS = pageTexts('console.operators');

/** The path of the pages about merchants, below `/console`. */
export const MERCHANTS_PATH = '/operator/merchants';

/** A command's option, which stands at the beginning of a fault that is about it alone. */
const OPTION = /--([a-z]+)((?:-[a-z]+)*)/g;

/**
 * Does an act whose refusal belongs into its form.
 *
 * @returns the result, or the refusal without the name of a command's option
 */
export async function tryAct<Result>(
  language: ConsoleLanguage,
  act: () => Promise<Result>,
): Promise<{ readonly result: Result } | Refusal> {
  try {
    return { result: await act() };
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    const field = error.field ?? optionField(error.message);
    return { fault: withoutOption(error.sentence(language)), field };
  }
}

/** `--support-email: give …` is about the field `supportEmail`. */
function optionField(message: string): string | null {
  const [option] = message.match(OPTION) ?? [];
  if (!option || !message.startsWith(option)) return null;
  return option.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `--support-email: give …` is `Support email: give …` for people at a form. */
function withoutOption(message: string): string {
  return message.replace(OPTION, (_, first: string, rest: string) => {
    const words = first + rest.replaceAll('-', ' ');
    return words === 'iban' || words === 'bic' ? words.toUpperCase() : upperFirst(words);
  });
}
