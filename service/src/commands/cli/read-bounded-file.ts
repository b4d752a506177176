import { open } from 'node:fs/promises';
import { OperatorFault } from '#merchants/operator-fault.ts';

/**
 * The file of an option. Reads one byte more than is allowed, so that a huge file is refused and
 * not read.
 *
 * @throws OperatorFault for a file that cannot be read
 */
export async function readBoundedFile(
  option: string,
  path: string,
  mostBytes: number,
): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(mostBytes + 1),
        position: 0,
      });
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new OperatorFault(`--${option}: the file "${path}" cannot be read${reason}.`);
  }
}
