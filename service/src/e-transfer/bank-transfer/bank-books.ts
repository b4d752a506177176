import type { BankSettings } from '#lib/bank/bank-settings.ts';
import type { NetworkSurroundings } from '../e-transfer-network.ts';
import type { NetworkBooks } from '../network-books.ts';
import { actOnFile } from './connection/act-on-file.ts';
import { askForRound, listConnections, listTried } from './connection/connection-store.ts';
import { largestPayments } from './connection/largest-payments.ts';
import { findFileRow, listPaymentFiles } from './connection/sent-file-store.ts';
import { describeMoney, findShownTransfers } from './entries/case-money-store.ts';
import { listUnmatched } from './entries/list-unmatched.ts';
import { readFile, readFileEntries, readFiles } from './files/read-files.ts';
import { takeUpload } from './programs/take-upload.ts';
import { closeDay } from './reconciliation/close-day.ts';
import { findByBankReference } from './search/find-by-bank-reference.ts';
import { approveAsSecond } from './tokens/change-token.ts';
import { listTokens } from './tokens/token-store.ts';

/** A person looks at the latest; the files of the bank are a list of their own. */
const MOST_SHOWN = 50;

/** The bank's files and bookings, for the console. */
export function bankBooksOf(
  { db, secretsKey }: Pick<NetworkSurroundings, 'db' | 'secretsKey'>,
  { connections }: Pick<BankSettings, 'connections'>,
): NetworkBooks {
  return {
    files: (asked) => readFiles(db, asked),
    file: (id) => readFile(db, id),
    entries: (asked) => readFileEntries(db, asked),
    others: (asked) => listUnmatched(db, secretsKey, { search: null, ...asked }),
    closeDay: (day, mostMoney) => closeDay(db, day, mostMoney),
    describe: (references) => describeMoney(db, secretsKey, references),
    shown: (ids) => findShownTransfers(db, ids),
    connection: {
      read: async () => ({
        connections: await listConnections(db),
        tried: await listTried(db, MOST_SHOWN),
        payments: await listPaymentFiles(db, MOST_SHOWN),
        tokens: await listTokens(db, MOST_SHOWN),
      }),
      file: (messageId) => findFileRow(db, messageId),
      largest: (messageId) => largestPayments({ db, secretsKey }, messageId),
      askForRound: (number) => askForRound(db, number),
      upload: async (bytes) => (await takeUpload({ db, secretsKey }, bytes, null)).fileId,
      approveToken: (id, by, audit) => approveAsSecond({ db, connections, audit }, id, by),
      act: (messageId, asked, by, policy) =>
        actOnFile({ db, connections, ...policy }, messageId, asked, by),
    },
    findByReference: (text) => findByBankReference(db, text),
  };
}
