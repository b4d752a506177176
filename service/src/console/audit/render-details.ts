import { html } from 'ghtml';

type Details = Readonly<Record<string, unknown>>;

export interface DetailWords {
  /** Between a value and the one before the act. */
  readonly was: string;
  /** The address of the payment request that an entry names; null: it has no page here. */
  readonly paymentRequestHref: (id: string) => string | null;
}

/** The details of an entry as terms and values, each with its value before the act. */
export function renderDetails(details: Details, { was, paymentRequestHref }: DetailWords): string {
  const before = isMembers(details.before) ? details.before : {};
  const names = Object.keys(details).filter(
    (name) => name !== 'before' || !isMembers(details[name]),
  );
  const gone = Object.keys(before).filter((name) => !names.includes(name));
  const items = [...names, ...gone].map((name) => {
    const value = textOf(details[name]);
    const href = name === 'paymentRequestId' ? paymentRequestHref(value) : null;
    const shown =
      href === null ? html`<code>${value}</code>` : html`<a href="${href}">${value}</a>`;
    const past = name in before ? html` (${was} <code>${textOf(before[name])}</code>)` : '';
    return html`<li>${name}: !${name in details ? shown : ''}!${past}</li>`;
  });
  return items.length === 0 ? '–' : `<ul class="plain">${items.join('')}</ul>`;
}

function isMembers(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
