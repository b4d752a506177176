import { LANGUAGES } from '#http/negotiation/choose-language.ts';
import { isMailbox } from '#lib/text-forms.ts';
import { KINDS } from '#messages/model/kinds.ts';
import {
  LONGEST_TEMPLATE_TEXT,
  type NewTemplate,
  PLACEHOLDERS,
  TEMPLATE_ID,
  TEMPLATE_PARTS,
} from '#messages/model/template.ts';
import { hasForeignAddress } from '#messages/model/unlinked-text.ts';
import { TemplateFault, type TemplateFieldFault } from './template-fault.ts';

const MEMBERS = ['id', 'replyTo', 'footer', 'texts'] as const;

/**
 * Reads a template as a file or a form gives it (messages §4).
 *
 * @param origins whose URLs a text may link to
 * @throws TemplateFault with every fault and its field
 */
export function readTemplate(given: unknown, origins: readonly string[]): NewTemplate {
  const faults: TemplateFieldFault[] = [];
  const members = Object.fromEntries(membersOf(faults, '', given, MEMBERS));
  const texts = (field: string, value: unknown, names: readonly string[]) =>
    readEach(faults, field, value, names, (at, text) => readText(faults, at, text, origins));
  const read = {
    id: readId(faults, members.id),
    replyTo: readReplyTo(faults, members.replyTo),
    footer: texts('footer', members.footer, LANGUAGES),
    texts: readEach(faults, 'texts', members.texts, LANGUAGES, (inLanguage, kinds) =>
      readEach(faults, inLanguage, kinds, KINDS, (kind, parts) =>
        texts(kind, parts, TEMPLATE_PARTS),
      ),
    ),
  };
  if (faults.length > 0) throw new TemplateFault(faults);
  return read;
}

/** The members of an object that are given; a member with another name is a fault. */
function membersOf(
  faults: TemplateFieldFault[],
  field: string,
  given: unknown,
  names: readonly string[],
): [name: string, value: unknown][] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    faults.push({ field: field || 'template', code: 'OBJECT' });
    return [];
  }
  const members = Object.entries(given).filter(([, value]) => value !== null);
  const unknown = members.filter(([name]) => !names.includes(name));
  faults.push(
    ...unknown.map(([name]) => ({ field: placed(field, name), code: 'UNKNOWN' }) as const),
  );
  return members.filter(([name]) => names.includes(name));
}

/** Reads each member of an object; one that has nothing in it is left out. */
function readEach<Value>(
  faults: TemplateFieldFault[],
  field: string,
  given: unknown,
  names: readonly string[],
  read: (field: string, value: unknown) => Value,
): Readonly<Record<string, Value>> {
  const members = membersOf(faults, field, given ?? {}, names);
  const values = members.map(([name, value]) => [name, read(placed(field, name), value)] as const);
  return Object.fromEntries(
    values.filter(([, value]) => typeof value === 'string' || Object.keys(value ?? {}).length > 0),
  );
}

/** Unknown names come from a file: a page and a terminal show them. */
function placed(field: string, name: string): string {
  const plain = name.replace(/[^\w.-]/g, '?').slice(0, 40);
  return field === '' ? plain : `${field}.${plain}`;
}

function readId(faults: TemplateFieldFault[], given: unknown): string {
  if (typeof given === 'string' && TEMPLATE_ID.test(given)) return given;
  faults.push({ field: 'id', code: 'ID' });
  return '';
}

function readReplyTo(faults: TemplateFieldFault[], given: unknown): string | null {
  if (given === undefined) return null;
  if (typeof given === 'string' && isMailbox(given)) return given;
  faults.push({ field: 'replyTo', code: 'REPLY_TO' });
  return null;
}

function readText(
  faults: TemplateFieldFault[],
  field: string,
  given: unknown,
  origins: readonly string[],
): string {
  const text = typeof given === 'string' ? given.normalize('NFC') : '';
  const code = textFault(text, origins);
  if (code !== null) faults.push({ field, code });
  return text;
}

/** Emoji of several parts have joiners between them. */
const EMOJI = /\p{RGI_Emoji}/gv;
/** Line breaks, marks of direction, halves of characters, and what has no width. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f/u;
const MARKUP = /[<>]|&#?\w+;/;
const KNOWN = new RegExp(`\\{(${PLACEHOLDERS.join('|')})\\}`, 'g');

function textFault(text: string, origins: readonly string[]): TemplateFieldFault['code'] | null {
  if (text.trim() === '' || [...text].length > LONGEST_TEMPLATE_TEXT) return 'LENGTH';
  if (HIDDEN.test(text.replace(EMOJI, ''))) return 'CONTROL';
  if (MARKUP.test(text)) return 'MARKUP';
  if (/[{}]/.test(text.replace(KNOWN, ''))) return 'PLACEHOLDER';
  return hasForeignAddress(text, origins) ? 'LINK' : null;
}
