import { tableOf } from '#commands/cli/align-columns.ts';
import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { choice, flag, MERCHANT, option, required } from '#commands/cli/inputs.ts';
import { readBoundedFile } from '#commands/cli/read-bounded-file.ts';
import { LANGUAGES } from '#http/negotiation/choose-language.ts';
import { parseStrictJson } from '#lib/json/parse-strict.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { KINDS } from '#messages/model/kinds.ts';
import type { Template } from '#messages/model/template.ts';
import { archiveTemplate, setTemplate } from '#messages/templates/change-template.ts';
import { previewTemplate } from '#messages/templates/preview-template.ts';
import { checkTemplate, knownTemplate, listTemplates } from '#messages/templates/read-templates.ts';

/** Every text in every language, with some white space: 133 texts of 500 characters. */
const LARGEST_FILE = 1_048_576;

const TEMPLATE = required('<id>', 'the template, as emailTemplate.id names it');

const list = defineCommand({
  summary: 'print the templates of a merchant’s e-mails to payers',
  options: { merchant: MERCHANT },
  async run({ db }, { merchant: merchantId }) {
    const templates = (await listTemplates(db, merchantId)).map(toEntry);
    return { merchantId, templates };
  },
  print: ({ templates }) =>
    tableOf(
      'The merchant has no template: its e-mails have the texts of this deployment.',
      ['TEMPLATE', 'VERSION', 'SINCE', 'STATE', 'LANGUAGES'],
      templates.map(({ id, version, createdDateTime, archivedDateTime, texts }) => [
        ...[id, `${version}`, createdDateTime.slice(0, 10)],
        archivedDateTime === null ? 'IN USE' : 'ARCHIVED',
        Object.keys(texts).join(', ') || '–',
      ]),
    ),
});

const show = defineCommand({
  summary: 'print a template as JSON, which `set --file` takes again',
  options: { merchant: MERCHANT, template: TEMPLATE },
  async run({ db }, { merchant, template }) {
    const { id, replyTo, footer, texts } = await knownTemplate(db, merchant, template);
    return { id, replyTo, footer, texts };
  },
  print: (template) => JSON.stringify(template, null, 2),
});

const set = defineCommand({
  summary:
    'write a new version of a template from a JSON file. Check first that replyTo is the ' +
    'merchant’s own address',
  options: {
    merchant: MERCHANT,
    file: required('<file>', 'the template as JSON, as `show` prints it'),
  },
  async run(deployment, { merchant: merchantId, file }) {
    const template = await readTemplateFile(file);
    const change = { merchantId, template, version: null, isByMerchant: false };
    const changed = await setTemplate(deployment, change);
    return { merchantId, isNew: changed.isNew, ...toEntry(changed.template) };
  },
  print: ({ id, version, isNew }) =>
    isNew
      ? `Later e-mails that name the template "${id}" have its version ${version}.`
      : `Nothing was changed: version ${version} is this template.`,
});

const archive = defineCommand({
  summary:
    'let no new payment request name a template; those that did keep it. `set` takes it back',
  options: { merchant: MERCHANT, template: TEMPLATE },
  async run(deployment, { merchant: merchantId, template }) {
    return { merchantId, ...toEntry(await archiveTemplate(deployment, merchantId, template)) };
  },
  print: ({ id }) => `No new payment request can name the template "${id}".`,
});

const preview = defineCommand({
  summary: 'print an e-mail about an example, with a template or without any',
  options: {
    merchant: MERCHANT,
    template: option('<id>', 'a template of the merchant'),
    file: option('<file>', 'a template that is not stored yet, as JSON'),
    kind: choice(KINDS, '<kind>', 'left out: REQUEST'),
    language: choice(LANGUAGES, '<language>', 'left out: en'),
    html: flag('the HTML instead of the text'),
  },
  async run(deployment, { merchant: merchantId, template: id, file, ...asked }) {
    const { db, environment } = deployment;
    const stored = id === null ? null : await knownTemplate(db, merchantId, id);
    const template =
      file === null ? stored : await checkTemplate(db, merchantId, await readTemplateFile(file));
    const settings = { ...deployment, isTest: environment === 'sandbox' };
    const shown = { kind: asked.kind ?? 'REQUEST', language: asked.language ?? 'en' };
    return previewTemplate({ ...deployment, settings }, { merchantId, template, ...shown });
  },
  json: ({ images: _, ...message }) => message,
  print: ({ subject, text, html }, options) => [subject, '', options.html ? html : text],
});

/** @throws OperatorFault for a file that cannot be read, or is no JSON */
async function readTemplateFile(path: string): Promise<unknown> {
  const file = await readBoundedFile('file', path, LARGEST_FILE);
  if (file.length > LARGEST_FILE) throw new OperatorFault('--file: the file is too large.');
  try {
    return parseStrictJson(file).value;
  } catch {
    throw new OperatorFault(`--file: the file "${path}" is no JSON.`);
  }
}

function toEntry({ createdAt, archivedAt, ...template }: Template) {
  return {
    ...template,
    createdDateTime: createdAt.toISOString(),
    archivedDateTime: archivedAt?.toISOString() ?? null,
  };
}

/** `payreq template`: a merchant's texts for e-mails to payers (messages §4). */
export const templateCommand = defineNoun('a merchant’s texts for e-mails to payers', {
  list,
  show,
  set,
  archive,
  preview,
});
