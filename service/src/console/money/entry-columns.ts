import { money, text } from '#console/lists/columns.ts';
import type { EntryType } from '#ledger/model/entry.ts';
import { MONEY_WORDS } from './texts.ts';

/** The type of a movement of money, in words. */
export const entryType = text<{ readonly type: EntryType }>(({ type }, { language }) =>
  MONEY_WORDS[language].text(`type.${type}`),
);

/** An amount in the currency that stands beside it. */
export const ownAmount = money<{ readonly amountCents: number; readonly currency: string }>(
  ({ amountCents }) => amountCents,
  ({ currency }) => currency,
);
