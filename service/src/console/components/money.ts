import { html } from 'ghtml';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';

/** An amount in cents, as the language writes it. */
export function money({ language, currency }: Visit, cents: number): string {
  return html`<span class="amount">${localizedAmount(language, cents, currency)}</span>`;
}
