import { html } from 'ghtml';
import type { Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount, localizedDecimal } from '#http/negotiation/localized-values.ts';
import { copyStatus } from '#http/pages/bill.ts';
import { shownText } from '#http/pages/shown-text.ts';
import { owedCents, type TransferRequest } from '../transfer-request.ts';
import { transferTexts } from './transfer-style.ts';

type Name = 'holder' | 'iban' | 'bic' | 'amount' | 'reference';

/** A text in groups of four, as IBANs and creditor references are printed. */
function inGroups(text: string): string {
  return text.replaceAll(/.{4}(?=.)/g, '$& ');
}

/** The fields of a transfer, each with a button that copies the plain value. */
export function transferFields(request: TransferRequest, language: Language): string {
  const { text } = transferTexts[language];
  const fields = fieldsOf(request, language);
  const all = fields.map(({ name, plain }) => `${text(`field.${name}`)}: ${plain}`).join('\n');
  const rows = fields.map(({ name, attribute, plain, shown }) => {
    const isMain = name === 'iban' || name === 'reference' || name === 'amount';
    return html`<div class="${isMain ? 'main' : ''}"><dt>${text(`field.${name}`)}</dt>
<dd id="${name}" data-${attribute}="${plain}"><bdi>${shown}</bdi></dd>
<dd class="act"><button class="copy" type="button" data-copy="${name}"
 value="${text(`field.${name}`)}" aria-label="${text(`copy.${name}`)}" hidden
>${text('copy')}</button></dd></div>`;
  });
  return html`<div class="way-head"><h2>${text('fields.title')}</h2><button class="copy plain"
 type="button" data-copy="fields" value="${text('fields.title')}" hidden
>${text('copy.all')}</button></div>
<dl class="fields" id="fields" data-value="${all}">!${rows.join('\n')}</dl>
!${copyStatus(language)}`;
}

/** Each with the attribute that holds its plain value, which a script copies. */
function fieldsOf(request: TransferRequest, language: Language) {
  const { account, reference, currency } = request;
  const owed = owedCents(request);
  const field = (name: Name, plain: string, shown = plain, attribute = 'value') => [
    { name, attribute, plain, shown },
  ];
  return [
    ...field('holder', shownText(account.holder)),
    ...field('iban', account.iban, inGroups(account.iban), 'iban'),
    ...(account.bic ? field('bic', account.bic) : []),
    // Banking apps take the decimal mark of the payer's language.
    ...field('amount', localizedDecimal(language, owed), localizedAmount(language, owed, currency)),
    ...field('reference', reference, inGroups(reference), 'reference'),
  ];
}
