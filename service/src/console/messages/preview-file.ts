import { mailFile } from '#console/shell/mail-file.ts';
import type { ConsoleFile } from '#console/shell/visit.ts';
import { LANGUAGES, type Language } from '#http/negotiation/choose-language.ts';
import { KINDS } from '#messages/model/kinds.ts';
import type { RenderedMessage } from '#messages/rendering/render-message.ts';

/** The HTML of a mail in a frame, in a look that does not hang on the person's own. */
export function previewFile({ html, images }: RenderedMessage, isDark: boolean): ConsoleFile {
  const scheme = isDark ? 'dark' : 'light';
  const inScheme = html
    .replace('(prefers-color-scheme: dark)', isDark ? 'all' : 'not all')
    .replaceAll(/(color-scheme\W+(?:content=")?)light dark/g, `$1${scheme}`);
  return mailFile(inScheme, `data:image/png;base64,${images?.[0]?.png.toString('base64')}`);
}

/** The language of a form or an address. */
export function languageIn(sent: URLSearchParams): Language {
  return LANGUAGES.find((language) => language === sent.get('language')) ?? 'en';
}

/** The message of a form or an address. */
export function kindIn(sent: URLSearchParams) {
  return KINDS.find((kind) => kind === sent.get('kind')) ?? 'REQUEST';
}
