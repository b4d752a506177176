import { readFileSync, statSync } from 'node:fs';

/**
 * Reads the text of a file that a setting names. Regular files only: a pipe without a writer, or a
 * device such as /dev/zero, would never end.
 *
 * @throws Error whose message ends the sentence "NAME …"
 */
export function readRegularFile(path: string, mostBytes: number): string {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new Error(`names "${path}", which is not a regular file`);
    if (found.size > mostBytes) {
      throw new Error(`names "${path}", which is above ${mostBytes / 1_024} KiB`);
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new Error(`names "${path}", which cannot be read (${error.code})`);
    }
    throw error;
  }
}

/** Secrets are short; a larger file is a mistake. */
const MOST_SECRET_BYTES = 65_536;

/**
 * Reads the secret in a file, without the final line end of editors and `echo`.
 *
 * @param isPrivate whether a file is refused that every user of the machine may read
 * @throws Error whose message ends the sentence "NAME_FILE …"
 */
export function readSecretFile(path: string, isPrivate = false): string {
  const text = readRegularFile(path, MOST_SECRET_BYTES).replace(/\r?\n$/, '');
  if (text === '') throw new Error(`names "${path}", which is empty`);
  if (isPrivate && (statSync(path).mode & 0o007) !== 0) {
    throw new Error(`names "${path}", which every user may read: chmod o-rwx`);
  }
  return text;
}
