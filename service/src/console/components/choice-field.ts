import { html } from 'ghtml';
import { field } from './form.ts';

export interface ChoiceInput {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Value and word of each choice. */
  readonly choices: readonly (readonly [value: string, word: string])[];
  readonly fault?: string | undefined;
}

/** A list of choices with its label. */
export function choiceField({ name, label, value, choices, fault }: ChoiceInput): string {
  const options = choices.map(
    ([each, word]) =>
      html`<option value="${each}"!${each === value ? ' selected' : ''}>${word}</option>`,
  );
  const control = html`<select id="${name}" name="${name}"!${
    fault ? ` aria-invalid="true" aria-describedby="${name}-fault"` : ''
  }>!${options.join('')}</select>`;
  return field({ name, label, control, fault });
}
