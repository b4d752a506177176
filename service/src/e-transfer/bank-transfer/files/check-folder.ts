import { lstatSync, type Stats } from 'node:fs';

/** No right for others, and no right to write for the group: `0750` or stricter. */
const FORBIDDEN_BITS = 0o027;

/**
 * Whether the folder of bank files can be trusted. A statement has no signature: a person who can
 * write into the folder can make a payment request PAID (bank-transfer §3).
 *
 * @returns the fault in a sentence; null: there is none
 */
export function faultOfFolder(folder: string): string | null {
  let found: Stats;
  try {
    found = lstatSync(folder);
  } catch {
    return `BANK_FILES_DIR: ${folder} cannot be read.`;
  }
  if (!found.isDirectory()) return `BANK_FILES_DIR: ${folder} is not a folder.`;
  if (found.uid !== process.getuid?.()) {
    return `BANK_FILES_DIR: ${folder} belongs to another user than the service's.`;
  }
  const mode = found.mode & 0o777;
  if ((mode & FORBIDDEN_BITS) !== 0) {
    const shown = mode.toString(8).padStart(4, '0');
    return `BANK_FILES_DIR: ${folder} has mode ${shown}. Make it 0750 or stricter.`;
  }
  return null;
}
