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
