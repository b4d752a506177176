import { SaxesParser } from 'saxes';
import { StatementFault } from './statement-fault.ts';
import type { XmlElement } from './xml-element.ts';

/**
 * Real statements nest some 14 elements deep. Without the bound a file of 140 kB that nests
 * thousands of elements costs seconds.
 */
const DEEPEST = 32;
/** ISO 20022 allows 500 characters of text; a bank's free text is the longest. */
const LONGEST_TEXT = 65_536;
/** saxes takes a chunk at a time; the check of the bounds runs inside each one. */
const CHUNK_CHARACTERS = 65_536;

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  readonly line: number;
  text: string;
}

export interface XmlReading {
  /**
   * Gets each closed element and decides whether its parent keeps it: an element that is converted
   * at once costs no memory until the end of the file.
   */
  readonly isKept: (element: XmlElement, depth: number) => boolean;
}

/**
 * Reads XML into elements, within bounds of depth and text. A DOCTYPE is refused: it is the way of
 * every entity bomb, and no bank sends one.
 *
 * @returns the root element, with the children that `isKept` kept
 * @throws StatementFault on anything that is not well-formed or passes a bound
 */
export function readXml(text: string, { isKept }: XmlReading): XmlElement {
  const parser = new SaxesParser({ position: true, xmlns: false });
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  const refuse = (sentence: string) => {
    throw new StatementFault(`Line ${parser.line}: ${sentence}`);
  };
  const addText = (added: string) => {
    const element = open.at(-1);
    if (!element) return;
    if (element.text.length + added.length > LONGEST_TEXT) refuse('a text is too long.');
    element.text += added;
  };

  parser.on('error', () => refuse('the file is not well-formed XML.'));
  parser.on('doctype', () => refuse('the file has a DOCTYPE, which is not allowed.'));
  parser.on('opentagstart', ({ name }) => {
    if (open.length === DEEPEST) refuse(`${localName(name)} is nested too deeply.`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const line = parser.line;
    open.push({
      name: localName(name),
      attributes: { ...attributes },
      children: [],
      line,
      text: '',
    });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = open.pop();
    if (!closed) return;
    const element = { ...closed, text: closed.text.trim() };
    if (open.length === 0) root = element;
    if (isKept(element, open.length)) open.at(-1)?.children.push(element);
  });

  for (let at = 0; at < text.length; at += CHUNK_CHARACTERS) {
    parser.write(text.slice(at, at + CHUNK_CHARACTERS));
  }
  parser.close();
  if (!root) throw new StatementFault('The file is empty.');
  return root;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
