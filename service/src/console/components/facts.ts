import { html } from 'ghtml';

/** A term and its value; the value is HTML. A term without a value is left out. */
export type Fact = readonly [term: string, value: string | null | undefined | false];

/** Terms with values. */
export function facts(list: readonly Fact[]): string {
  const items = list.map(([term, value]) =>
    typeof value === 'string' ? html`<dt>${term}</dt><dd>!${value}</dd>` : '',
  );
  return `<dl class="facts">${items.join('')}</dl>`;
}
