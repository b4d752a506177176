import { html } from 'ghtml';
import type { EntryMembers } from '#audit/entry-members.ts';
import { instant } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';

type Details = EntryMembers['details'];

const AUDIT_TEXTS = pageTexts('console.lists.audit');

/** The entry in the API's words, folded: its act, actor and details, with the values before. */
export function renderDetails(visit: Visit, entry: EntryMembers): string {
  const { text } = AUDIT_TEXTS[visit.language];
  const { details, merchantId, action, actor, occurredAt } = entry;
  const at = new Date(occurredAt);
  const before = isMembers(details.before) ? details.before : {};
  const names = Object.keys(details).filter(
    (name) => name !== 'before' || !isMembers(details[name]),
  );
  const gone = Object.keys(before).filter((name) => !names.includes(name));
  const items = [...names, ...gone].map((name) => {
    const value = textOf(visit, name, details[name]);
    const isLink = name === 'paymentRequestId' && merchantId !== null;
    const shown = isLink
      ? html`<a href="/console/m/${merchantId}/payment-requests/${value}">${value}</a>`
      : html`<code>${value}</code>`;
    const past = html` (${text('was')} <code>${textOf(visit, name, before[name])}</code>)`;
    return html`<li>${name.replace(/Cents$/, '')}: !${name in details ? shown : ''}!${
      name in before ? past : ''
    }</li>`;
  });
  return html`<details><summary>${text('open')}</summary><ul class="plain">
<li>!${Number.isNaN(at.getTime()) ? '' : instant(visit, at)}</li>
<li><code>${action}</code></li><li>${actor}</li>!${items.join('')}</ul></details>`;
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
