import { mailFile } from '#console/shell/mail-file.ts';
import type { ConsoleFile } from '#console/shell/visit.ts';
import type { Preview } from '#messages/templates/preview-template.ts';

/** The HTML of a mail in a frame, in a look that does not hang on the person's own. */
export function previewFile({ html, logo }: Preview, isDark: boolean): ConsoleFile {
  const scheme = isDark ? 'dark' : 'light';
  const inScheme = html
    .replace('(prefers-color-scheme: dark)', isDark ? 'all' : 'not all')
    .replaceAll(/(color-scheme\W+(?:content=")?)light dark/g, `$1${scheme}`);
  return mailFile(inScheme, `data:image/png;base64,${logo?.toString('base64')}`);
}
