import { decodeXml } from './decode-xml.ts';
import { createXmlReader } from './read-xml.ts';

class Found extends Error {}

/**
 * The name of the element below the root, which tells the kind of a message. Only the first 16 kB
 * are read: a real message begins in its first lines.
 *
 * @returns empty: no such element stands there
 * @throws StatementFault where the file is no XML up to there
 */
export function messageNameOf(bytes: Buffer): string {
  let found = '';
  const xml = createXmlReader({
    isKept: () => false,
    onOpen(name, depth) {
      if (depth !== 1) return;
      found = name;
      throw new Found();
    },
  });
  try {
    const [start = ''] = decodeXml(bytes);
    xml.write(start);
  } catch (error) {
    if (!(error instanceof Found)) throw error;
  }
  return found;
}
