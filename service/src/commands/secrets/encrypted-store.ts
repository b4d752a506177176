import type { Executor, Statement } from '#database/database.ts';

/** Rows that one transaction locks: some milliseconds, so that no call waits noticeably. */
const ROWS_AT_ONCE = 100;
/** Files, or parts of files, of 256 KiB and more: some megabytes in memory. */
const FILES_AT_ONCE = 10;

/** A row with encrypted columns; null where a column is empty. */
export interface EncryptedRow {
  readonly id: string;
  /** The content of the contexts of the row's boxes: the id, where the table names nothing else. */
  readonly place: string;
  readonly boxes: readonly (Buffer | null)[];
}

/** A table with encrypted columns, walked in the order of its ids. */
export interface EncryptedTable {
  readonly name: string;
  /** Below every id. */
  readonly firstId: string;
  /** The secrets of a row, in the order of its boxes; with the row's place, a box's context. */
  readonly contexts: (place: string) => readonly string[];
  readonly rowsAtOnce: number;
  readonly read: Statement;
  /** Reads as `read` does, and locks the rows. */
  readonly lock: Statement;
  readonly save: Statement;
}

const LISTENER_COLUMNS = [
  'listener_password_encrypted',
  'signing_secret_encrypted',
  'previous_signing_secret_encrypted',
];
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Every table with secrets that can be read back, but for the answers of idempotent calls. */
export const ENCRYPTED_TABLES: readonly EncryptedTable[] = [
  encryptedTable('signing_keys', 'key_id', 'text', ['private_key_encrypted'], (id) => [
    `signing-key:${id}`,
  ]),
  encryptedTable('merchants', 'id', 'text', LISTENER_COLUMNS, (id) => [
    `merchant:${id}:listener_password`,
    `merchant:${id}:signing_secret`,
    `merchant:${id}:signing_secret`,
  ]),
  encryptedTable('webhook_endpoints', 'id', 'uuid', LISTENER_COLUMNS, (id) => [
    `endpoint:${id}:listener_password`,
    `endpoint:${id}:signing_secret`,
    `endpoint:${id}:signing_secret`,
  ]),
  encryptedTable('bank_refunds', 'refund_id', 'uuid', ['creditor_encrypted'], (id) => [
    `bank-refund:${id}:creditor`,
  ]),
  encryptedTable(
    'bank_payment_files',
    'message_id',
    'text',
    ['bytes_encrypted'],
    (id) => [`bank-payment-file:${id}`],
    { rowsAtOnce: FILES_AT_ONCE },
  ),
  encryptedTable('retention_keys', 'id', 'text', ['key_encrypted'], (id) => [
    `retention-key:${id}`,
  ]),
  encryptedTable('message_keys', 'id', 'text', ['key_encrypted'], (id) => [`message-key:${id}`]),
  // An index finds the entries with a box: those to match, and those that matched nothing.
  encryptedTable(
    'bank_entries',
    'id',
    'uuid',
    ['party_box', 'text_box'],
    (id) => [`bank-party:${id}`, `bank-text:${id}`],
    { condition: '(matched_at IS NULL OR text_box IS NOT NULL)' },
  ),
  encryptedTable('bank_movements', 'id', 'uuid', ['party_box'], (id) => [`bank-party:${id}`]),
  encryptedTable('bank_file_parts', 'id', 'uuid', ['box'], (place) => [`bank-file:${place}`], {
    rowsAtOnce: FILES_AT_ONCE,
    place: `file_id || ':' || part_number`,
  }),
];

interface TableOptions {
  readonly rowsAtOnce?: number;
  /** The expression of the row's place; default its id. */
  readonly place?: string;
  /** Selects the rows that can have a box. */
  readonly condition?: string;
}

function encryptedTable(
  name: string,
  idColumn: string,
  idType: 'text' | 'uuid',
  columns: readonly string[],
  contexts: EncryptedTable['contexts'],
  options: TableOptions = {},
): EncryptedTable {
  const { rowsAtOnce = ROWS_AT_ONCE, place = `${idColumn}::text`, condition = 'true' } = options;
  const assigned = columns.map((column, index) => `${column} = renewed.box${index}`);
  const parameters = columns.map((_, index) => `$${index + 2}::bytea[]`);
  const names = columns.map((_, index) => `box${index}`);
  const page = `SELECT ${idColumn}::text AS id, ${place} AS place,
                  ARRAY[${columns.join(', ')}] AS boxes
                FROM ${name} WHERE ${idColumn} > $1 AND ${condition}
                ORDER BY ${idColumn} LIMIT $2`;
  return {
    name,
    firstId: idType === 'uuid' ? NIL_UUID : '',
    contexts,
    rowsAtOnce,
    read: { name: `secrets-read-${name}`, text: page },
    // NO KEY: payment requests that name the merchant are created meanwhile.
    lock: { name: `rewrap-page-${name}`, text: `${page} FOR NO KEY UPDATE` },
    save: {
      name: `rewrap-save-${name}`,
      text: `UPDATE ${name} SET ${assigned.join(', ')}
             FROM unnest($1::${idType}[], ${parameters.join(', ')})
               AS renewed (id, ${names.join(', ')})
             WHERE ${name}.${idColumn} = renewed.id`,
    },
  };
}

/** Reads a page of a table; at most `rowsAtOnce` rows after an id. */
export function readPage(
  db: Executor,
  { read, rowsAtOnce }: EncryptedTable,
  after: string,
): Promise<EncryptedRow[]> {
  return db.query(read, [after, rowsAtOnce]);
}

/** Locks and reads a page of a table, as `readPage` does. */
export function lockPage(
  tx: Executor,
  { lock, rowsAtOnce }: EncryptedTable,
  after: string,
): Promise<EncryptedRow[]> {
  return tx.query(lock, [after, rowsAtOnce]);
}

/** Writes the boxes of rows that `lockPage` locked. */
export async function saveRows(
  tx: Executor,
  { save }: EncryptedTable,
  rows: readonly EncryptedRow[],
): Promise<void> {
  const columns = rows[0]?.boxes.map((_, index) => rows.map(({ boxes }) => boxes[index] ?? null));
  if (columns) await tx.query(save, [rows.map(({ id }) => id), ...columns]);
}
