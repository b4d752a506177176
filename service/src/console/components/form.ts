import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';

export interface FormOptions {
  /** Below `/console`. */
  readonly action: string;
  /** HTML of the fields and buttons. */
  readonly body: string;
  readonly id?: string;
  /** The form sends a file. */
  readonly hasFile?: true;
}

/** A form that changes something: it carries the session's token. */
export function postForm({ csrf }: Visit, { action, body, id, hasFile }: FormOptions): string {
  return html`<form method="post" action="/console${action}"!${id ? ` id="${id}"` : ''}!${
    hasFile ? ' enctype="multipart/form-data"' : ''
  }><input type="hidden" name="csrf" value="${csrf}">!${body}</form>`;
}

export interface FieldOptions {
  readonly name: string;
  readonly label: string;
  /** HTML of the control; its id is the field's name. */
  readonly control: string;
  readonly hint?: string;
  /** The fault of the value that was sent. */
  readonly fault?: string | undefined;
}

/** A control with its label, hint and fault. */
export function field({ name, label, control, hint, fault }: FieldOptions): string {
  return html`<div class="field${fault ? ' bad' : ''}"><label for="${name}">${label}</label>
!${hint ? html`<span class="hint" id="${name}-hint">${hint}</span>` : ''}
!${fault ? html`<span class="fault" id="${name}-fault">${fault}</span>` : ''}!${control}</div>`;
}

export interface TextInput {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly type?: string;
  readonly hint?: string;
  readonly fault?: string | undefined;
  readonly maxLength?: number;
  readonly isRequired?: true;
  readonly autocomplete?: string;
  /** A number with decimals: phones show digits. */
  readonly isDecimal?: true;
}

/** A line of text with its label. */
export function textField(input: TextInput): string {
  const { name, label, value = '', type = 'text', hint, fault, maxLength, isRequired } = input;
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const control = html`<input id="${name}" name="${name}" type="${type}" value="${value}"
 autocomplete="${input.autocomplete ?? 'off'}"!${maxLength ? ` maxlength="${maxLength}"` : ''}!${
   input.isDecimal ? ' inputmode="decimal"' : ''
 }!${
   isRequired ? ' required' : ''
 }!${fault ? ' aria-invalid="true"' : ''}!${described ? ` aria-describedby="${described}"` : ''}>`;
  return field({ name, label, control, ...(hint !== undefined && { hint }), fault });
}
