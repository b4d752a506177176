import type { Language } from '#http/negotiation/choose-language.ts';

/** A row of the facts that a message states. */
export interface MessageFact {
  readonly label: string;
  readonly value: string;
}

/** The parts of a message, from which text and HTML are both made (messages §4). */
export interface MessageParts {
  readonly language: Language;
  readonly subject: string;
  readonly heading: string;
  readonly hello: string;
  readonly introduction: string;
  readonly facts: readonly MessageFact[];
  /** null: the message asks for no money. */
  readonly action: { readonly label: string; readonly lead: string; readonly link: string } | null;
  /** Paragraphs behind the facts. */
  readonly notes: readonly string[];
  /** null: the message is no request. */
  readonly unordered: { readonly title: string; readonly text: string } | null;
  readonly hasLogo: boolean;
}
