import type { NetworkSurroundings } from '../e-transfer-network.ts';
import type { NetworkBooks } from '../network-books.ts';
import { describeMoney, findShownTransfers } from './entries/case-money-store.ts';
import { listUnmatched } from './entries/list-unmatched.ts';
import { readFile, readFileEntries, readFiles } from './files/read-files.ts';
import { closeDay } from './reconciliation/close-day.ts';
import { findByBankReference } from './search/find-by-bank-reference.ts';

/** The bank's files and bookings, for the console. */
export function bankBooksOf({
  db,
  secretsKey,
}: Pick<NetworkSurroundings, 'db' | 'secretsKey'>): NetworkBooks {
  return {
    files: (asked) => readFiles(db, asked),
    file: (id) => readFile(db, id),
    entries: (asked) => readFileEntries(db, asked),
    others: (asked) => listUnmatched(db, secretsKey, { search: null, ...asked }),
    closeDay: (day, mostMoney) => closeDay(db, day, mostMoney),
    describe: (references) => describeMoney(db, secretsKey, references),
    shown: (ids) => findShownTransfers(db, ids),
    findByReference: (text) => findByBankReference(db, text),
  };
}
