import { show } from '#console/lists/columns.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { EntryType } from '#ledger/model/entry.ts';

export const BANK_TEXTS = pageTexts('console.money.bank');
export const CASE_PAGE_TEXTS = pageTexts('console.money.case-page');
/** The names of the kinds of cases, their meanings, and an operator's next step. */
export const CASE_TEXTS = pageTexts('console.money.cases');
/** Types of the ledger's entries, and statuses of payment requests. */
export const MONEY_WORDS = pageTexts('console.money.entry-types');
export const REPORT_TEXTS = pageTexts('console.money.report');
export const SETTLE_TEXTS = pageTexts('console.money.settle');
export const CONNECTION_TEXTS = pageTexts('console.money.connection');

/** The type of a movement of money, in words. */
export const entryType = show.text<{ readonly type: EntryType }>(({ type }, { language }) =>
  MONEY_WORDS[language].text(`type.${type}`),
);

/** An amount in the currency that stands beside it. */
export const ownAmount = show.money<{ readonly amountCents: number; readonly currency: string }>(
  ({ amountCents }) => amountCents,
  ({ currency }) => currency,
);
