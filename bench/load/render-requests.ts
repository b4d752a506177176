import type { LoadRequest } from './generate-load.ts';

/** So many that no limit by address is reached. */
const ADDRESSES = 65_536;

type Rendered = Pick<LoadRequest, 'url' | 'method' | 'headers' | 'body'>;

/** Renders each call once; its next requests differ only in `[<number>]` and `[<address>]`. */
export function renderRequests({
  others = [],
  ...call
}: Rendered & Pick<LoadRequest, 'others'>): () => string {
  const calls = [call, ...others.map((other) => ({ ...call, ...other }))].map(renderCall);
  let turn = 0;
  return () => {
    turn = (turn + 1) % calls.length;
    return calls[turn]?.() ?? '';
  };
}

function renderCall({ url, method, headers, body = '' }: Rendered): () => string {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'POST' ? `content-length: ${Buffer.byteLength(body)}\r\n` : '';
  const head = `${method} ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}`;
  const text = `${head}${length}\r\n${body}`;
  // The parts with an odd index are placeholders.
  const parts = text.split(/\[<(number|address)>\]/);
  if (parts.length === 1) return () => text;
  let number = 0;
  return () => {
    number += 1;
    const filled = parts.map((part, index) => {
      if (index % 2 === 0) return part;
      return part === 'number' ? `${number}` : addressOf(number % ADDRESSES);
    });
    return filled.join('');
  };
}

function addressOf(number: number): string {
  return `10.0.${number >> 8}.${number & 255}`;
}
