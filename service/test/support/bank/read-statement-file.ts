import { decodeXml } from '#e-transfer/bank-transfer/statements/decode-xml.ts';
import { readPieces } from '#e-transfer/bank-transfer/statements/read-statements.ts';
import { createXmlReader, type XmlReading } from '#e-transfer/bank-transfer/statements/read-xml.ts';
import type {
  Statement,
  StatementEntry,
  StatementKind,
} from '#e-transfer/bank-transfer/statements/statement.ts';
import { textAt, type XmlElement } from '#e-transfer/bank-transfer/statements/xml-element.ts';

export interface StatementFile {
  readonly kind: StatementKind | undefined;
  /** The bank's id of the message; null where the bank gives none. */
  readonly messageId: string | null;
  readonly statements: readonly Statement[];
}

/** Reads all of a file at once, as `readParts` does piece by piece. */
export function readStatements(bytes: Buffer): StatementFile {
  const statements: Statement[] = [];
  let entries: StatementEntry[] = [];
  let kind: StatementKind | undefined;
  for (const parts of readPieces(bytes)) {
    for (const each of parts) {
      kind = each.kind;
      if (each.part === 'ENTRY') entries.push(each.read());
      else {
        statements.push({ ...each.read(), entries });
        entries = [];
      }
    }
  }
  return { kind, messageId: messageIdOf(bytes), statements };
}

function messageIdOf(bytes: Buffer): string | null {
  const isKept = ({ name }: XmlElement, depth: number) =>
    depth === 1 || name === 'GrpHdr' || name === 'MsgId';
  const [message] = readXml(decodeXml(bytes), { isKept }).children;
  return message ? textAt(message, 'GrpHdr', 'MsgId') : null;
}

/** Reads a whole text, or all of its pieces, as `createXmlReader` does. */
export function readXml(text: string | Iterable<string>, reading: XmlReading): XmlElement {
  const reader = createXmlReader(reading);
  for (const piece of typeof text === 'string' ? [text] : text) reader.write(piece);
  return reader.end();
}
