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
/**
 * A longest text, and a comment of its length. saxes keeps an unfinished text, name or comment
 * until its end: without this bound it keeps a whole file.
 */
const LONGEST_WITHOUT_TAG = 2 * LONGEST_TEXT;
/** Elements, attributes and references: 25 MB of short payments have one in 18 bytes. */
const MOST_NODES = 1_500_000;
/** ISO 20022 uses one attribute an element; a root declares some namespaces. */
const MOST_ATTRIBUTES = 32;
/** An entry with one payment keeps some 60 elements, and memory is bounded by this number. */
const MOST_KEPT = 20_000;

/** A mutable element: copies of all elements cost more than their parsing. */
interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
  /** The elements that it keeps, in all depths. */
  kept: number;
}

export interface XmlReading {
  /** Throws where a document of this reading has no such element. */
  readonly onOpen?: (name: string, depth: number, refuse: (sentence: string) => never) => void;
  /**
   * Gets each closed element, and decides whether its parent keeps it: an element that is
   * converted at once costs no memory until the end of the file.
   *
   * @param depth 0 for the root
   */
  readonly isKept: (element: XmlElement, depth: number) => boolean;
}

/** Reads a text that comes in pieces. */
export interface XmlReader {
  /**
   * @param piece some kB: the length of an unfinished text is looked at after each piece
   * @throws StatementFault on anything that is not well-formed or passes a bound
   */
  write(piece: string): void;
  /** @returns the root element, with the children that `isKept` kept */
  end(): XmlElement;
}

/**
 * Reads XML into elements, within bounds of depth, text, attributes and kept elements. A DOCTYPE is
 * refused: it is the way of every entity bomb, and no bank sends one.
 */
export function createXmlReader({ isKept, onOpen }: XmlReading): XmlReader {
  const parser = new SaxesParser({ position: true, xmlns: false });
  const open: OpenElement[] = [];
  let opening = '';
  let held = 0;
  let written = 0;
  /** The position of the last tag. */
  let tagAt = 0;
  let root: XmlElement | undefined;
  const refuse = (sentence: string): never => {
    throw new StatementFault(`Line ${parser.line}: ${sentence}`);
  };
  const refuseText = (name: string) => refuse(`${name} has a text that is too long.`);
  const addText = (added: string) => {
    const element = open.at(-1);
    if (!element || (element.text === '' && isBlank(added))) return;
    if (element.text.length + added.length > LONGEST_TEXT) refuseText(element.name);
    element.text += added;
  };
  const close = (closed: OpenElement) => {
    closed.text = closed.text.trim();
    const parent = open.at(-1);
    if (!parent) root = closed;
    if (parent && isKept(closed, open.length)) {
      parent.children.push(closed);
      parent.kept += closed.kept + 1;
      held += 1;
      if (held > MOST_KEPT) refuse(`${closed.name} stands among too many elements.`);
    } else held -= closed.kept;
  };
  const countNodes = counterOf(MOST_NODES, () => refuse('the file has too many elements.'));

  // An eighth handler would turn the parser's properties into a slow dictionary.
  parser.on('error', () => refuse('the file is not well-formed XML.'));
  parser.on('doctype', () => refuse('the file has a DOCTYPE, which is not allowed.'));
  parser.on('opentagstart', ({ name }) => {
    tagAt = parser.position;
    countNodes(1);
    opening = localName(name);
    if (open.length === DEEPEST) refuse(`${opening} is nested too deeply.`);
    onOpen?.(opening, open.length, refuse);
  });
  parser.on('opentag', ({ attributes }) => {
    const values = Object.values(attributes);
    countNodes(values.length);
    if (values.length > MOST_ATTRIBUTES) refuse(`${opening} has too many attributes.`);
    if (values.some((value) => value.length > LONGEST_TEXT)) refuseText(opening);
    const { line } = parser;
    open.push({ name: opening, attributes, children: [], line, text: '', kept: 0 });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    tagAt = parser.position;
    close(open.pop() as OpenElement);
  });
  return {
    write(piece) {
      countNodes(piece.split('&').length - 1);
      parser.write(piece);
      written += piece.length;
      if (written - tagAt > LONGEST_WITHOUT_TAG) refuse('a text, name or comment is too long.');
    },
    end() {
      parser.close();
      if (!root) throw new StatementFault('The file is empty.');
      return root;
    },
  };
}

/** Line ends between the entries of a day are longer than any text. */
function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Calls `refuse` for the first number beyond the most. */
function counterOf(most: number, refuse: () => never): (added: number) => void {
  let count = 0;
  return (added) => {
    count += added;
    if (count > most) refuse();
  };
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
