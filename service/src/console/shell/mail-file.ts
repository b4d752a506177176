import type { ConsoleFile } from './visit.ts';

/** A mail loads the merchant's logo alone, runs nothing, and stands in frames of ours alone. */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  'sandbox',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** The HTML of a mail to a payer, for a frame of a page. */
export function mailFile(html: string, logo: string): ConsoleFile {
  const content = html.replace('cid:logo', logo);
  const type = 'text/html; charset=utf-8';
  return { fileName: 'mail.html', type, content, isInline: true, policy: MAIL_POLICY };
}
