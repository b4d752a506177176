import { execute, firstValue } from '#database/statements.ts';

/** The encrypted key of the hashes; null: no message was ever sent. */
export const findAddressKey = firstValue<Buffer | null>(
  'message-find-address-key',
  `SELECT key_encrypted AS "keyEncrypted" FROM message_keys WHERE id = 'addresses'`,
  null,
);

/** The key of the first writer stays: another one would forget all earlier hashes. */
export const insertAddressKey = execute<[keyEncrypted: Buffer]>(
  'message-insert-address-key',
  `INSERT INTO message_keys (id, key_encrypted) VALUES ('addresses', $1) ON CONFLICT DO NOTHING`,
);
