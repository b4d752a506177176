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
/** ISO 20022 uses one attribute an element; a root declares some namespaces. */
const MOST_ATTRIBUTES = 32;
/** An entry with one payment keeps some 60 elements, and memory is bounded by this number. */
const MOST_KEPT = 20_000;

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  readonly line: number;
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
  /** @throws StatementFault on anything that is not well-formed or passes a bound */
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
  let attributes = 0;
  let opening = '';
  let held = 0;
  let root: XmlElement | undefined;
  const refuse = (sentence: string): never => {
    throw new StatementFault(`Line ${parser.line}: ${sentence}`);
  };
  const refuseText = (name: string) => refuse(`${name} has a text that is too long.`);
  const addText = (added: string) => {
    const element = open.at(-1);
    if (!element) return;
    if (element.text.length + added.length > LONGEST_TEXT) refuseText(element.name);
    element.text += added;
  };
  const close = (closed: OpenElement) => {
    const { kept, ...rest } = closed;
    const element = { ...rest, text: rest.text.trim() };
    const parent = open.at(-1);
    if (!parent) root = element;
    if (parent && isKept(element, open.length)) {
      parent.children.push(element);
      parent.kept += kept + 1;
      held += 1;
      if (held > MOST_KEPT) refuse(`${element.name} stands among too many elements.`);
    } else held -= kept;
  };

  parser.on('error', () => refuse('the file is not well-formed XML.'));
  parser.on('doctype', () => refuse('the file has a DOCTYPE, which is not allowed.'));
  parser.on('opentagstart', ({ name }) => {
    attributes = 0;
    opening = localName(name);
    if (open.length === DEEPEST) refuse(`${opening} is nested too deeply.`);
    onOpen?.(opening, open.length, refuse);
  });
  parser.on('attribute', ({ value }) => {
    attributes += 1;
    if (attributes > MOST_ATTRIBUTES) refuse(`${opening} has too many attributes.`);
    if (value.length > LONGEST_TEXT) refuseText(opening);
  });
  parser.on('opentag', (tag) => {
    const name = localName(tag.name);
    const own = { ...tag.attributes };
    open.push({ name, attributes: own, children: [], line: parser.line, text: '', kept: 0 });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed) close(closed);
  });
  return {
    write: (piece) => void parser.write(piece),
    end() {
      parser.close();
      if (!root) throw new StatementFault('The file is empty.');
      return root;
    },
  };
}

/** Reads a whole text, or all of its pieces, as `createXmlReader` does. */
export function readXml(text: string | Iterable<string>, reading: XmlReading): XmlElement {
  const reader = createXmlReader(reading);
  for (const piece of typeof text === 'string' ? [text] : text) reader.write(piece);
  return reader.end();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
