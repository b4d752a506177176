import { readFileSync, statSync } from 'node:fs';

/** Secrets are short; a larger file is another file. */
const MOST_BYTES = 65_536;

/**
 * Reads the secret in a file, without the line end that editors and `echo` add.
 *
 * @throws Error whose message ends the sentence "NAME_FILE …"
 */
export function readSecretFile(path: string): string {
  let text: string;
  try {
    // A pipe without a writer would never end.
    const found = statSync(path);
    if (!found.isFile()) throw new Error(`names "${path}", which is not a regular file`);
    if (found.size > MOST_BYTES) throw new Error(`names "${path}", which is above 64 KiB`);
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      throw new Error(`names "${path}", which cannot be read (${error.code})`);
    }
    throw error;
  }
  if (text === '') throw new Error(`names "${path}", which is empty`);
  return text;
}
