import { StatementFault } from './statement-fault.ts';

/** An element with its local name: statements differ in prefixes and namespaces, not in names. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text directly inside, trimmed. */
  readonly text: string;
  /** The line on which the element begins, from 1. */
  readonly line: number;
}

/** All elements at the path, as in `['NtryDtls', 'TxDtls']`, in the order of the file. */
export function elementsAt(element: XmlElement, path: readonly string[]): readonly XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (found, name) =>
      found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );
}

/** The first element at the path; null when none is there. */
export function elementAt(element: XmlElement, ...path: readonly string[]): XmlElement | null {
  return elementsAt(element, path)[0] ?? null;
}

/** The text of the first element at the path; null when none is there or it is empty. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | null {
  return elementAt(element, ...path)?.text || null;
}

/** @throws StatementFault, with the line of the parent, when the element is missing or empty */
export function requiredTextAt(element: XmlElement, ...path: readonly string[]): string {
  const text = textAt(element, ...path);
  if (text === null) throw faultAt(element, `has no ${path.join('/')}`);
  return text;
}

/** A fault whose sentence begins with line and element: `Line 12: Ntry has no Sts.` */
export function faultAt({ line, name }: XmlElement, what: string): StatementFault {
  return new StatementFault(`Line ${line}: ${name} ${what}.`);
}
