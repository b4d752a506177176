import { readFileSync } from 'node:fs';
import type { ShopAnswer } from './shop-request.ts';

const SCRIPT = 'text/javascript; charset=utf-8';

/** The files by path, read once at the start. */
export function readStaticFiles(): ReadonlyMap<string, ShopAnswer> {
  return new Map([
    ['/shop.css', answerOf('text/css; charset=utf-8', readBrowserFile('shop.css'))],
    ['/basket.js', answerOf(SCRIPT, readBrowserFile('basket.js'))],
    ['/shop.js', answerOf(SCRIPT, readBrowserFile('shop.js'))],
    ['/icon.svg', answerOf('image/svg+xml', readBrowserFile('icon.svg'))],
  ]);
}

function readBrowserFile(name: string): Uint8Array {
  return readFileSync(new URL(`../../browser/${name}`, import.meta.url));
}

function answerOf(type: string, body: Uint8Array): ShopAnswer {
  return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-cache' }, body };
}
