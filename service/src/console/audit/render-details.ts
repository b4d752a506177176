import { html } from 'ghtml';
import type { EntryMembers } from '#audit/entry-members.ts';
import { instant } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';

type Details = EntryMembers['details'];

const AUDIT_TEXTS = pageTexts('console.lists.audit');

/** `amountCents` is `amount`, and `paymentRequestId` is `payment request id`. */
const wordsOf = (name: string) =>
  name.replace(/Cents$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The details of an entry, folded, with the values before; codes are folded once more. */
export function renderDetails(visit: Visit, entry: EntryMembers): string {
  const { text } = AUDIT_TEXTS[visit.language];
  const { details, merchantId, action, actor, occurredAt } = entry;
  const at = new Date(occurredAt);
  const before = isMembers(details.before) ? details.before : {};
  const names = Object.keys(details).filter(
    (name) => name !== 'before' || !isMembers(details[name]),
  );
  const gone = Object.keys(before).filter((name) => !names.includes(name));
  const isPlain = (name: string) =>
    typeof (details[name] ?? '') !== 'object' && !/Hash$/.test(name);
  const { true: plain = [], false: codes = [] } = Object.groupBy([...names, ...gone], (name) =>
    isPlain(name) ? 'true' : 'false',
  );
  const items = plain.map((name) => {
    const value = textOf(visit, name, details[name]);
    const isLink = name === 'paymentRequestId' && merchantId !== null;
    const shown = isLink
      ? html`<a href="/console/m/${merchantId}/payment-requests/${value}">${value}</a>`
      : html`<code>${value}</code>`;
    const past = html` (${text('was')} <code>${textOf(visit, name, before[name])}</code>)`;
    return html`<li>${wordsOf(name)}: !${name in details ? shown : ''}!${
      name in before ? past : ''
    }</li>`;
  });
  return html`<details><summary>${text('open')}</summary><ul class="plain">
<li>!${Number.isNaN(at.getTime()) ? '' : instant(visit, at)}</li>!${items.join('')}</ul>
<details><summary>${text('codes')}</summary><ul class="plain"><li><code>${action}</code></li>
<li>${actor}</li>!${codes
    .map((name) => html`<li>${name}: <code>${textOf(visit, name, details[name])}</code></li>`)
    .join('')}</ul></details></details>`;
}

function isMembers(value: unknown): value is Details {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Members that end in `Cents` are amounts. */
function textOf({ language, currency }: Visit, name: string, value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'number' && name.endsWith('Cents')) {
    return localizedAmount(language, value, currency);
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
