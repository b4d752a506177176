import type { Database } from '#database/database.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import {
  decryptBytes,
  encryptBytes,
  isUnderCurrentKey,
  SecretUnreadable,
} from '#lib/secrets/secret-box.ts';
import {
  ENCRYPTED_TABLES,
  type EncryptedRow,
  type EncryptedTable,
  lockPage,
  saveRows,
} from './encrypted-store.ts';
import { listMerchantIds, pageOfAnswers, saveAnswerBody } from './rewrap-store.ts';

/** Merchants of a page; each has pages of answers of its own. */
const MERCHANTS_AT_ONCE = 100;
/** Answers are read without a lock, most of them without their body. */
const ANSWERS_AT_ONCE = 1_000;

/** The outcome for all encrypted secrets. */
export interface RewrapCounts {
  /** Secrets that were under the previous key. */
  rewrapped: number;
  /** Secrets that were under the current key already. */
  current: number;
  /** The places of secrets that neither key opens. */
  readonly unreadable: string[];
}

export interface RewrapDeps {
  readonly db: Database;
  readonly secretsKey: RotatingKey;
  /** Counts only. */
  readonly isDryRun: boolean;
}

/**
 * Encrypts every stored secret under the current key, page by page, each page in a transaction of
 * its own. The walk can end anywhere and begin anew: a secret under the current key stays as it is.
 */
export async function rewrapSecrets(deps: RewrapDeps): Promise<RewrapCounts> {
  const counts: RewrapCounts = { rewrapped: 0, current: 0, unreadable: [] };
  for (const table of ENCRYPTED_TABLES) await rewrapTable(deps, table, counts);
  let merchants: string[];
  let after = '';
  do {
    merchants = await listMerchantIds(deps.db, after, MERCHANTS_AT_ONCE);
    for (const merchantId of merchants) await rewrapAnswers(deps, merchantId, counts);
    after = merchants.at(-1) ?? after;
  } while (merchants.length === MERCHANTS_AT_ONCE);
  return counts;
}

async function rewrapTable(
  { db, secretsKey, isDryRun }: RewrapDeps,
  table: EncryptedTable,
  counts: RewrapCounts,
): Promise<void> {
  let rows: EncryptedRow[];
  let after = table.firstId;
  do {
    rows = await db.transaction(async (tx) => {
      const page = await lockPage(tx, table, after);
      const renewed = page.map((row) => {
        const contexts = table.contexts(row.place);
        const boxes = row.boxes.map((box, index) =>
          rewrap(secretsKey, box, contexts[index] ?? '', counts),
        );
        return { ...row, boxes };
      });
      const changed = renewed.filter(({ boxes }, row) =>
        boxes.some((box, index) => box !== page[row]?.boxes[index]),
      );
      if (!isDryRun) await saveRows(tx, table, changed);
      return page;
    });
    after = rows.at(-1)?.id ?? after;
  } while (rows.length === table.rowsAtOnce);
}

async function rewrapAnswers(
  { db, secretsKey, isDryRun }: RewrapDeps,
  merchantId: string,
  counts: RewrapCounts,
): Promise<void> {
  const context = `merchant:${merchantId}:answer`;
  let answers: Awaited<ReturnType<typeof pageOfAnswers>>;
  let after = '';
  do {
    answers = await pageOfAnswers(db, merchantId, after, ANSWERS_AT_ONCE);
    for (const answer of answers) {
      if (answer.sealed === null) continue;
      const box = Buffer.from(answer.sealed, 'base64');
      const renewed = rewrap(secretsKey, box, context, counts);
      if (renewed === box || renewed === null || isDryRun) continue;
      await saveAnswerBody(db, merchantId, answer, renewed.toString('base64'));
    }
    after = answers.at(-1)?.key ?? after;
  } while (answers.length === ANSWERS_AT_ONCE);
}

/** The box under the current key; the same box where it is so already, or opens under no key. */
function rewrap(
  key: RotatingKey,
  box: Buffer | null,
  context: string,
  counts: RewrapCounts,
): Buffer | null {
  if (box === null) return null;
  if (isUnderCurrentKey(key, box, context)) {
    counts.current += 1;
    return box;
  }
  try {
    const renewed = encryptBytes(key, decryptBytes(key, box, context), context);
    counts.rewrapped += 1;
    return renewed;
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    counts.unreadable.push(context);
    return box;
  }
}
