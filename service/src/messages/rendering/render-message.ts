import { chooseLanguage, LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';
import { localizedAmount, localizedInstant } from '#http/negotiation/localized-values.ts';
import { pageTexts } from '#http/pages/texts.ts';
import type { Mail } from '#lib/mail/mailer.ts';
import type { MerchantProfile } from '#merchants/profile/profile.ts';
import { MESSAGE_KINDS, type MessageKind, type Subject } from '#messages/model/kinds.ts';
import {
  fillTemplate,
  type NewTemplate,
  type TemplateContent,
  type TemplateTexts,
} from '#messages/model/template.ts';
import { unlinkedText } from '#messages/model/unlinked-text.ts';
import type { MessageFact, MessageLink, MessageParts } from './message-parts.ts';
import { renderHtml } from './render-html.ts';

const TEXTS = pageTexts('payer.message');

/** A mail without its recipient. */
export interface RenderedMessage extends Omit<Mail, 'id' | 'to'> {
  readonly language: Language;
  readonly html: string;
}

export interface RenderSettings {
  /** {payment_link_base} */
  readonly paymentLinkBase: string;
  readonly currency: string;
  /** `TIME_ZONE`, for merchants without their own. */
  readonly timeZone: string;
  /** The sandbox moves no money, and the message says so. */
  readonly isTest: boolean;
}

export interface RenderedMerchant {
  readonly profile: MerchantProfile;
  /** Origins whose URLs a merchant's text may link to. */
  readonly origins: readonly string[];
  /** Left out: the texts of the deployment alone. */
  readonly template?: (TemplateContent & Partial<Pick<NewTemplate, 'replyTo'>>) | null;
  /** The image that the HTML shows as `cid:logo`. */
  readonly logo: Buffer | null;
  /** The page on which the recipient says “I did not order this”; an SMS has none. */
  readonly refusalUrl?: string;
}

/** Renders a message as e-mail in the payer's language. */
export function renderMessage(
  kind: MessageKind,
  subject: Subject,
  merchant: RenderedMerchant,
  settings: RenderSettings,
): RenderedMessage {
  const parts = partsOf(kind, subject, merchant, settings);
  const { template, profile, logo, refusalUrl } = merchant;
  const replyTo = template?.replyTo ?? profile.supportEmail;
  return {
    ...{ language: parts.language, subject: parts.subject },
    ...{ text: renderText(parts), html: renderHtml(parts), fromName: parts.merchant },
    ...(replyTo !== null && { replyTo }),
    ...(MESSAGE_KINDS[kind].isReminder &&
      refusalUrl !== undefined && { unsubscribeUrl: `${refusalUrl}/reminders` }),
    ...(logo && { images: [{ name: 'logo', png: logo }] }),
  };
}

function partsOf(
  kind: MessageKind,
  subject: Subject,
  merchant: RenderedMerchant,
  settings: RenderSettings,
): MessageParts {
  const { paymentRequest: p } = subject;
  const { profile, origins, logo } = merchant;
  const shown = (value: string) => unlinkedText(value, origins);
  const language = languageOf(p.payer.preferredLanguage);
  const { text } = TEXTS[language];
  const amount = localizedAmount(language, amountOf(kind, subject), settings.currency);
  const values = { merchant: shown(profile.displayName ?? p.merchant.name), amount };
  const asks = kind === 'REQUEST' || kind === 'REMINDER';
  const own = ownTexts(kind, subject, merchant, settings, { ...values, language });
  return {
    language,
    subject: own.subject ?? text(`${kind}.subject`, values),
    merchant: values.merchant,
    heading: own.heading ?? text(`${kind}.heading`, values),
    hello: text('hello', { name: shown(p.payer.name) }),
    introduction: own.introduction ?? text(`${kind}.introduction`, values),
    facts: factsOf(kind, subject, merchant, settings, { ...values, language }),
    action: asks
      ? {
          label: text('button', values),
          lead: text('link'),
          link: `${settings.paymentLinkBase}/${p.shortCode}`,
        }
      : null,
    notes: [
      ...(kind === 'RECEIPT' ? [text('noInvoice')] : []),
      contactOf(language, values.merchant, profile),
      ...(own.footer === undefined ? [] : [own.footer]),
      ...(settings.isTest ? [text('test')] : []),
    ],
    unordered: asks
      ? {
          title: text('unordered.title'),
          text: text('unordered.text'),
          label: text('unordered.link'),
          link: merchant.refusalUrl ?? '',
        }
      : null,
    reminders:
      kind === 'REMINDER' && merchant.refusalUrl !== undefined
        ? { label: text('reminders.link'), link: `${merchant.refusalUrl}/reminders` }
        : null,
    hasLogo: logo !== null,
  };
}

interface OwnValues {
  readonly merchant: string;
  readonly amount: string;
  readonly language: Language;
}

/** The texts of the merchant's template for a message. */
function ownTexts(
  kind: MessageKind,
  { paymentRequest: p }: Subject,
  { template, profile, origins }: RenderedMerchant,
  settings: RenderSettings,
  { language, ...known }: OwnValues,
): TemplateTexts & { readonly footer?: string } {
  if (!template) return {};
  const footer = template.footer[language];
  const given = { ...template.texts[language]?.[kind], ...(footer && { footer }) };
  const values = {
    ...known,
    invoiceNumber: unlinkedText(p.invoiceNumber ?? '', origins),
    expiry: localizedInstant(language, p.expiresAt, profile.timeZone ?? settings.timeZone),
  };
  const filled = (text: string) => fillTemplate(unlinkedText(text, origins), values);
  return Object.fromEntries(Object.entries(given).map(([part, text]) => [part, filled(text)]));
}

function factsOf(
  kind: MessageKind,
  { paymentRequest: p }: Subject,
  { profile, origins }: RenderedMerchant,
  settings: RenderSettings,
  { merchant, amount, language }: OwnValues,
): MessageFact[] {
  const { text } = TEXTS[language];
  const zone = profile.timeZone ?? settings.timeZone;
  const fact = (label: string, value: string): MessageFact[] => [{ label, value }];
  const foreign = (label: string, value: string | null): MessageFact[] =>
    value === null ? [] : fact(label, unlinkedText(value, origins));
  const instant = (at: Date) => localizedInstant(language, at, zone);
  const isReceipt = kind === 'RECEIPT' && p.payment !== null;
  const until = kind === 'REQUEST' || kind === 'REMINDER' ? p.expiresAt : null;
  const registered = p.merchant.name === profile.displayName ? null : profile.displayName;
  return [
    ...fact(text(kind.startsWith('REFUND') ? 'fact.from' : 'facts.merchant'), merchant),
    // People know the shop's name; the registered one says who stands behind it.
    ...(registered === null ? [] : foreign(text('merchant.registered'), p.merchant.name)),
    ...fact(text('facts.amount'), amount),
    ...foreign(text('facts.invoice'), p.invoiceNumber),
    ...foreign(text('facts.message'), p.displayMessage),
    ...(until ? fact(text('fact.until'), instant(until)) : []),
    ...(isReceipt && p.payment
      ? [
          ...fact(text('fact.paid'), instant(p.payment.completedAt)),
          ...foreign(text('fact.reference'), p.payment.networkReference),
        ]
      : []),
  ];
}

/** A receipt names all money that arrived; a message about a refund names the refund. */
function amountOf(kind: MessageKind, { paymentRequest: p, refund }: Subject): number {
  if (refund) return refund.amountCents;
  return kind === 'RECEIPT' ? p.sums.receivedCents : p.amountCents;
}

function contactOf(language: Language, merchant: string, profile: MerchantProfile): string {
  const { text } = TEXTS[language];
  // An operator has registered these: they stay links.
  const phone = profile.supportPhone?.replaceAll(' ', '\u00a0') ?? null;
  const contact = [profile.supportEmail, phone, profile.website]
    .filter((way) => way !== null)
    .join(', ');
  return contact === ''
    ? text('contact.unknown', { merchant })
    : text('contact.lead', { merchant, contact });
}

function languageOf(preferred: string | null): Language {
  if (preferred === null) return 'en';
  return chooseLanguage({
    asked: null,
    preferred,
    acceptLanguage: undefined,
    languages: LANGUAGES,
  });
}

function renderText(parts: MessageParts): string {
  const { language, facts, action, unordered, reminders } = parts;
  const row = (label: string, value: string) =>
    TEXTS[language].text('row', { label: label.replace(/\s*:$/, ''), value });
  const linkRow = ({ label, link }: MessageLink) => row(label, link);
  const paragraphs = [
    parts.hello,
    parts.introduction,
    facts.map(({ label, value }) => row(label, value)).join('\n'),
    action && linkRow(action),
    ...parts.notes,
    unordered && `${unordered.title}\n${unordered.text}\n${linkRow(unordered)}`,
    reminders && linkRow(reminders),
  ];
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`;
}

/** The longest SMS that one message of the network carries: GSM characters, or others. */
const MOST_GSM = 160;
const MOST_OTHERS = 70;
/** GSM 03.38 without the characters that count twice. */
const GSM = /^[@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;

/** Renders a message as an SMS: the text gives way, never the link (messages §4). */
export function renderSms(
  kind: 'REQUEST' | 'REMINDER' | 'CANCELLATION',
  { paymentRequest: p }: Subject,
  { profile, origins }: RenderedMerchant,
  { paymentLinkBase, currency }: RenderSettings,
): { readonly language: Language; readonly text: string } {
  const language = languageOf(p.payer.preferredLanguage);
  // The joiner of words and the space that does not break are no GSM characters.
  const plainText = (text: string) =>
    text.replaceAll(/[\u00a0\u202f\u2060]/g, ' ').replaceAll('’', "'");
  const merchant = unlinkedText(profile.displayName ?? p.merchant.name, origins);
  const amount = localizedAmount(language, p.amountCents, currency);
  const plain = plainText(TEXTS[language].text(`${kind}.sms`, { merchant, amount }));
  const link = kind === 'CANCELLATION' ? '' : ` ${paymentLinkBase}/${p.shortCode}`;
  const most = GSM.test(plain + link) ? MOST_GSM : MOST_OTHERS;
  return { language, text: shortened(plain, most - link.length) + link };
}

function shortened(text: string, most: number): string {
  const characters = [...text];
  if (text.length <= most) return text;
  while (characters.join('').length > Math.max(0, most - 1)) characters.pop();
  return characters.length > 0 ? `${characters.join('').trimEnd()}.` : '';
}
