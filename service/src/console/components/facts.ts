import { html } from 'ghtml';

/** A term and its value; the value is HTML. */
export type Fact = readonly [term: string, value: string];

/** Terms with values, the values as HTML. */
export function facts(list: readonly (Fact | null)[]): string {
  const items = list
    .filter((fact) => fact !== null)
    .map(([term, value]) => html`<dt>${term}</dt><dd>!${value}</dd>`);
  return `<dl class="facts">${items.join('')}</dl>`;
}
