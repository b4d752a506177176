import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { PayerPage } from '../payment-requests/payer.ts';

/** Rules for every page that a payer sees (journey §2). */
export function assertPayerPage(page: PayerPage, language = 'en'): void {
  const { headers, html } = page;
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(headers.get('content-language'), language);
  assert.match(html, new RegExp(`^<!doctype html>\\s<html lang="${language}">`));
  assert.equal(headers.get('cross-origin-opener-policy'), 'unsafe-none');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-robots-tag'), 'noindex, nofollow');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(
    ([, css = '']) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  );
  const scripts = [...html.matchAll(/<script type="module" src="(\/page-scripts\/[\w.-]+)">/g)];
  assert.equal(
    headers.get('content-security-policy'),
    [
      "default-src 'none'",
      ...(scripts.length > 0 ? ["script-src 'self'", "connect-src 'self'"] : []),
      `style-src ${styles.join(' ')}`,
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  );
  assert.equal(html.match(/<script/g)?.length ?? 0, scripts.length);
  assert.doesNotMatch(html, /\son\w+=|style=|javascript:/);
  assert.equal(html.match(/<h1>/g)?.length, 1);
  assert.match(html, /<title>[^<]+<\/title>/);
  // A random reference may hold these letters within a longer word.
  assert.doesNotMatch(html, /\bundefined\b|\[object|\bNaN\b/);
}
