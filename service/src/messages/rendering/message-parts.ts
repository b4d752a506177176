import type { Language } from '#http/negotiation/choose-language.ts';

/** A row of the facts that a message states. */
export interface MessageFact {
  readonly label: string;
  readonly value: string;
}

/** A link that a recipient may follow. */
export interface MessageLink {
  readonly label: string;
  readonly link: string;
}

/** The parts of a message, from which text and HTML are both made (messages §4). */
export interface MessageParts {
  readonly language: Language;
  readonly subject: string;
  /** The name that people know. */
  readonly merchant: string;
  readonly heading: string;
  readonly hello: string;
  readonly introduction: string;
  readonly facts: readonly MessageFact[];
  /** null: the message asks for no money. */
  readonly action: (MessageLink & { readonly lead: string }) | null;
  /** Paragraphs behind the facts. */
  readonly notes: readonly string[];
  /** null: the message is no request. */
  readonly unordered: (MessageLink & { readonly title: string; readonly text: string }) | null;
  /** null: the message is no reminder. */
  readonly reminders: MessageLink | null;
  readonly hasLogo: boolean;
}
