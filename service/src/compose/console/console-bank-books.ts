import type { BankBooks } from '#console/money/bank-books.ts';
import {
  describeMoney,
  findShownTransfers,
} from '#e-transfer/bank-transfer/entries/case-money-store.ts';
import { listUnmatched } from '#e-transfer/bank-transfer/entries/list-unmatched.ts';
import {
  readFile,
  readFileEntries,
  readFiles,
} from '#e-transfer/bank-transfer/files/read-files.ts';
import { closeDay } from '#e-transfer/bank-transfer/reconciliation/close-day.ts';
import type { Foundation } from '../foundation.ts';

/** The reads of the console about the bank's files and bookings. */
export function bankBooksOf({ db, config }: Foundation): BankBooks {
  return {
    files: (asked) => readFiles(db, asked),
    file: (id) => readFile(db, id),
    entries: (asked) => readFileEntries(db, asked),
    others: (asked) => listUnmatched(db, config.secretsKey, { search: null, ...asked }),
    closeDay: (day, mostMoney) => closeDay(db, day, mostMoney),
    describe: (references) => describeMoney(db, config.secretsKey, references),
    shown: (ids) => findShownTransfers(db, ids),
  };
}
