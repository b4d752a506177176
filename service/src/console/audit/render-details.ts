import { html } from 'ghtml';
import type { EntryMembers } from '#audit/entry-members.ts';
import { instant, mayNamePayer, requestName, requestPath } from '#console/components/values.ts';
import type { OfRequest } from '#console/lists/rows-of-requests.ts';
import type { Visit } from '#console/shell/visit.ts';
import { localizedAmount } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { isId } from '#lib/new-id.ts';
import { upperFirst } from '#lib/words/upper-first.ts';

type Details = EntryMembers['details'];

const AUDIT_TEXTS = pageTexts('console.lists.audit');

/** `amountCents` is `Amount`, `isPaid` is `Paid`, and `paymentRequestId` is `Payment request`. */
const wordsOf = (name: string) =>
  upperFirst(
    name
      .replace(/^is(?=[A-Z])|(?<=.)(?:Cents|Id)$/g, '')
      .replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );

/** The payment request that an entry is about; a planted entry can name anything. */
export function requestOf({ details: { paymentRequestId: id } }: EntryMembers): string | null {
  return typeof id === 'string' && isId(id) ? id : null;
}

/** Tells two acts of one kind apart: a template, an endpoint, a key or a payment request. */
export function objectOf(visit: Visit, { details, request }: OfRequest<EntryMembers>): string {
  const { templateId, origin, keyId } = details;
  const known = [templateId, origin, keyId].find((each) => typeof each === 'string');
  return `${known ?? (request ? requestName(request, mayNamePayer(visit)) : '')}`;
}

/** The details of an entry, folded, with the values before; codes are folded once more. */
export function renderDetails(visit: Visit, entry: OfRequest<EntryMembers>): string {
  const { text } = AUDIT_TEXTS[visit.language];
  const { details, merchantId, action, actor, occurredAt, request } = entry;
  const at = new Date(occurredAt);
  const before = isMembers(details.before) ? details.before : {};
  const names = Object.keys(details).filter(
    (name) => name !== 'before' || !isMembers(details[name]),
  );
  const gone = Object.keys(before).filter((name) => !names.includes(name));
  const isPlain = (name: string) =>
    typeof (details[name] ?? '') !== 'object' && !/Hash$/.test(name);
  const all = [...names, ...gone];
  const pastOf = (name: string, value: string) => {
    const past = textOf(visit, name, before[name]);
    return name in before && past !== value ? past : null;
  };
  const items = all.filter(isPlain).map((name) => {
    const value = textOf(visit, name, details[name]);
    const past = pastOf(name, value);
    const isLink = name === 'paymentRequestId' && merchantId !== null && request;
    const shown = isLink
      ? html`<a href="${requestPath(merchantId, request.id)}"
>${requestName(request, mayNamePayer(visit))}</a>`
      : html`${value}`;
    if (!(name in details)) {
      return html`<li>${text('before', { name: wordsOf(name) })} ${past ?? value}</li>`;
    }
    const was = past === null ? '' : ` (${text('was')} ${past})`;
    return html`<li>${wordsOf(name)}: !${shown}${was}</li>`;
  });
  const codes = all
    .filter((name) => !isPlain(name))
    .map((name) => {
      const value = textOf(visit, name, details[name]);
      const past = pastOf(name, value);
      const was = past === null ? '' : html` (${text('was')} <code>${past}</code>)`;
      return html`<li>${name}: <code>${value}</code>!${was}</li>`;
    });
  return html`<details><summary>${text('open')}</summary><ul class="plain">
<li>!${Number.isNaN(at.getTime()) ? '' : instant(visit, at)}</li>!${items.join('')}</ul>
<details><summary>${text('codes')}</summary><ul class="plain"><li><code>${action}</code></li>
<li>${actor}</li>!${codes.join('')}</ul></details></details>`;
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
  if (typeof value === 'boolean') return AUDIT_TEXTS[language].text(value ? 'yes' : 'no');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
