import type { Language } from '#http/negotiation/choose-language.ts';
import type { MessageKind } from './kinds.ts';

/** The texts of a message that a merchant can write; the lines of facts are fixed. */
export const TEMPLATE_PARTS = ['subject', 'heading', 'introduction'] as const;
export type TemplatePart = (typeof TEMPLATE_PARTS)[number];
export type TemplateTexts = Readonly<Partial<Record<TemplatePart, string>>>;

/** The texts of each message in a language. */
export type TemplateKinds = Readonly<Partial<Record<MessageKind, TemplateTexts>>>;

/** A text that is left out is the deployment's own (messages §4). */
export interface TemplateContent {
  readonly footer: { readonly [Spoken in Language]?: string };
  readonly texts: { readonly [Spoken in Language]?: TemplateKinds };
}

/** A template as it is given. */
export interface NewTemplate extends TemplateContent {
  /** Named by `emailTemplate.id`. */
  readonly id: string;
  /** null: the merchant's support address. */
  readonly replyTo: string | null;
}

/** A version of a template. */
export interface Template extends NewTemplate {
  readonly version: number;
  readonly createdAt: Date;
  /** null: payment requests can name it. */
  readonly archivedAt: Date | null;
}

export const TEMPLATE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Some lines of a mail. */
export const LONGEST_TEMPLATE_TEXT = 500;

export const PLACEHOLDERS = ['merchant', 'amount', 'invoiceNumber', 'expiry'] as const;
export type PlaceholderValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>;

/** Puts values in place of the placeholders. */
export function fillTemplate(text: string, values: PlaceholderValues): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof PlaceholderValues] : whole,
  );
}
