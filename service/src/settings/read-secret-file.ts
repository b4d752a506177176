import { statSync } from 'node:fs';
import { readRegularFile } from './read-regular-file.ts';

/** Secrets are short; a larger file is a mistake. */
const MOST_BYTES = 65_536;

/**
 * Reads the secret in a file, without the final line end of editors and `echo`.
 *
 * @param isPrivate whether a file is refused that every user of the machine may read
 * @throws Error whose message ends the sentence "NAME_FILE …"
 */
export function readSecretFile(path: string, isPrivate = false): string {
  const text = readRegularFile(path, MOST_BYTES).replace(/\r?\n$/, '');
  if (text === '') throw new Error(`names "${path}", which is empty`);
  if (isPrivate && (statSync(path).mode & 0o007) !== 0) {
    throw new Error(`names "${path}", which every user may read: chmod o-rwx`);
  }
  return text;
}
