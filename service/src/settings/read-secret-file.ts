import { readRegularFile } from './read-regular-file.ts';

/** Secrets are short; a larger file is a mistake. */
const MOST_BYTES = 65_536;

/**
 * Reads the secret in a file, without the final line end of editors and `echo`.
 *
 * @throws Error whose message ends the sentence "NAME_FILE …"
 */
export function readSecretFile(path: string): string {
  const text = readRegularFile(path, MOST_BYTES).replace(/\r?\n$/, '');
  if (text === '') throw new Error(`names "${path}", which is empty`);
  return text;
}
