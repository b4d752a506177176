import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import type { FieldKind } from './form-field.ts';
import { renderField } from './render-field.ts';
import { renderForm } from './render-form.ts';

export interface FormOptions {
  /** Below `/console`. */
  readonly action: string;
  /** HTML of the fields and buttons. */
  readonly body: string;
}

/** A form of which the page makes the fields and buttons. */
export function postForm(visit: Visit, { action, body }: FormOptions): string {
  return renderForm(visit, { action, items: [body] });
}

interface FieldInput {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  /** The fault of the value that was sent. */
  readonly fault?: string | undefined;
}

export interface TextInput extends FieldInput {
  readonly type?: FieldKind;
  readonly hint?: string;
  readonly maxLength?: number;
  readonly isRequired?: true;
}

/** A line of text with its label, outside of a described form. */
export function textField({ type = 'text', fault, ...field }: TextInput): string {
  return renderField({ ...field, kind: type }, { faults: { [field.name]: fault } });
}

export interface ChoiceInput extends FieldInput {
  /** Value and word of each choice. */
  readonly choices: readonly (readonly [value: string, word: string])[];
}

/** A list of choices with its label, outside of a described form. */
export function choiceField({ choices, fault, ...field }: ChoiceInput): string {
  const options = choices.map(([value, word]) => [value, html`${word}`] as const);
  return renderField({ ...field, kind: 'choice', options }, { faults: { [field.name]: fault } });
}
