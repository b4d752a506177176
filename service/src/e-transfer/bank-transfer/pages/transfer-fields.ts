import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount, localizedDecimal } from '#http/negotiation/localized-values.ts';
import { copyStatus } from '#http/pages/bill.ts';
import { shownText } from '#http/pages/shown-text.ts';
import {
  type AccountField,
  domesticOf,
  fieldsOfAccount,
  inGroups,
  parseAccount,
} from '#lib/bank/account-number.ts';
import { owedCents, type TransferRequest } from '../transfer-request.ts';
import { transferTexts } from './transfer-style.ts';

type Name = 'holder' | AccountField | 'bic' | 'amount' | 'reference' | 'etransfer' | 'message';

interface Field {
  readonly name: Name;
  readonly plain: string;
  readonly shown: string;
}

/** Smaller than the values that decide whether the money arrives. */
const LESSER: ReadonlySet<Name> = new Set(['holder', 'bic']);

/** The fields of a transfer, each with a button that copies the plain value. */
export function transferFields(request: TransferRequest, language: Language): string {
  const { text } = transferTexts[language];
  const { account, reference } = request;
  const title = text(account.etransferAddress === null ? 'fields.title' : 'fields.wire');
  const rows = [
    fieldOf('holder', shownText(account.holder)),
    ...accountFields(request),
    ...(account.bic ? [fieldOf('bic', account.bic)] : []),
    amountField(request, language),
    fieldOf('reference', reference, inGroups(reference)),
  ];
  return html`!${fieldList({ id: 'fields', title, rows }, language)}!${copyStatus(language)}`;
}

/** An e-Transfer is what most Canadians send; empty: the merchant has no proven address. */
export function etransferFields(request: TransferRequest, language: Language): string {
  const { account, reference, currency } = request;
  if (account.etransferAddress === null) return '';
  const { text, rich } = transferTexts[language];
  const rows = [
    fieldOf('etransfer', account.etransferAddress),
    amountField(request, language),
    fieldOf('message', reference, inGroups(reference)),
  ];
  const lead = rich('etransfer.lead', {
    owed: localizedAmount(language, owedCents(request), currency),
    address: account.etransferAddress,
    reference: inGroups(reference),
  });
  const list = { id: 'etransfer', title: text('etransfer.title'), lead, rows };
  return fieldList(list, language);
}

interface FieldList {
  /** Begins the ids of the fields of any list but the account's. */
  readonly id: string;
  readonly title: string;
  readonly lead?: string;
  readonly rows: readonly Field[];
}

function fieldList({ id, title, lead, rows }: FieldList, language: Language): string {
  const { text } = transferTexts[language];
  const all = rows.map(({ name, plain }) => `${text(`field.${name}`)}: ${plain}`).join('\n');
  const shown = rows.map(({ name, plain, shown: value }) => {
    const attribute = name === 'iban' || name === 'reference' ? name : 'value';
    const own = id === 'fields' ? name : `${id}-${name}`;
    return html`<div class="${LESSER.has(name) ? '' : 'main'}"><dt>${text(`field.${name}`)}</dt>
<dd id="${own}" data-${attribute}="${plain}"><bdi>${value}</bdi></dd>
<dd class="act"><button class="copy" type="button" data-copy="${own}"
 value="${text(`field.${name}`)}" aria-label="${text(`copy.${name}`)}" hidden
>${text('copy')}</button></dd></div>`;
  });
  return html`<div class="way-head"><h2>${title}</h2><button class="copy plain"
 type="button" data-copy="${id}" value="${title}" hidden
>${text('copy.all')}</button></div>!${lead && html`<p>!${lead}</p>`}
<dl class="fields" id="${id}" data-value="${all}">!${shown.join('\n')}</dl>`;
}

const fieldOf = (name: Name, plain: string, shown = plain): Field => ({ name, plain, shown });

/** British payers type the sort code and the number, and the IBAN has both. */
function accountFields({ account, currency }: TransferRequest): Field[] {
  const written = parseAccount(account.accountNumber);
  const domestic = currency === 'GBP' ? domesticOf(written) : written;
  const accounts = domestic === written ? [written] : [domestic, written];
  return accounts
    .flatMap(fieldsOfAccount)
    .map(({ name, value }) => fieldOf(name, value, name === 'iban' ? inGroups(value) : value));
}

/** Banking apps take the decimal mark of the payer's language. */
function amountField(request: TransferRequest, language: Language): Field {
  const owed = owedCents(request);
  const shown = localizedAmount(language, owed, request.currency);
  return fieldOf('amount', localizedDecimal(language, owed), shown);
}
