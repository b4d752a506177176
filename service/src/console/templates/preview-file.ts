import type { ConsoleFile } from '#console/shell/visit.ts';
import type { Preview } from '#messages/templates/preview-template.ts';

/** A mail loads nothing but its logo, runs nothing, and stands in frames of ours alone. */
const PREVIEW_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'sandbox',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** The HTML of a mail in a frame, in a look that does not hang on the person's own. */
export function previewFile({ html, logo }: Preview, isDark: boolean): ConsoleFile {
  const scheme = isDark ? 'dark' : 'light';
  const content = html
    .replace('(prefers-color-scheme: dark)', isDark ? 'all' : 'not all')
    .replaceAll(/(color-scheme\W+(?:content=")?)light dark/g, `$1${scheme}`)
    .replace('cid:logo', `data:image/png;base64,${logo?.toString('base64')}`);
  const type = 'text/html; charset=utf-8';
  return { fileName: 'preview.html', type, content, isInline: true, policy: PREVIEW_POLICY };
}
