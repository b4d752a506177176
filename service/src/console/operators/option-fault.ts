import { OperatorFault } from '#merchants/operator-fault.ts';

/**
 * Does an act whose refusal belongs into its form.
 *
 * @returns the result, or the sentence of the refusal without the name of a command's option
 */
export async function tryAct<Result>(
  act: () => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly fault: string }> {
  try {
    return { result: await act() };
  } catch (error) {
    if (!(error instanceof OperatorFault)) throw error;
    return { fault: withoutOption(error.message) };
  }
}

/** `--support-email: give …` is `Support email: give …` for people at a form. */
function withoutOption(message: string): string {
  return message.replace(/--([a-z]+)((?:-[a-z]+)*)/g, (_, first: string, rest: string) => {
    const words = first + rest.replaceAll('-', ' ');
    return words === 'iban' || words === 'bic' ? words.toUpperCase() : capitalized(words);
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
