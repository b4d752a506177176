import type { LoadRequest } from './generate-load.ts';

/** So many that no limit by address is reached, and that a round of refunds has one each. */
export const NUMBERS = 65_536;
/** The digits of `[<number>]` in a path: the end of an id. */
const DIGITS = 12;

type Rendered = Pick<LoadRequest, 'url' | 'method' | 'headers' | 'body'>;

/**
 * Renders each call once; its next requests differ only in `[<number>]` and `[<address>]`. A number
 * comes once, whichever call it is for.
 */
export function renderRequests({
  others = [],
  ...call
}: Rendered & Pick<LoadRequest, 'others'>): () => string {
  let number = 0;
  const nextNumber = () => {
    number += 1;
    return number;
  };
  const calls = [call, ...others.map((other) => ({ ...call, ...other }))].map((each) =>
    renderCall(each, nextNumber),
  );
  let turn = 0;
  return () => {
    turn = (turn + 1) % calls.length;
    return calls[turn]?.() ?? '';
  };
}

function renderCall(
  { url, method, headers, body = '' }: Rendered,
  nextNumber: () => number,
): () => string {
  const { host, pathname, search } = new URL(url);
  const path = decodeURI(pathname).replace('[<number>]', '[<digits>]');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'POST' ? `content-length: ${Buffer.byteLength(body)}\r\n` : '';
  const head = `${method} ${path}${search} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}`;
  const text = `${head}${length}\r\n${body}`;
  // The parts with an odd index are placeholders.
  const parts = text.split(/\[<(number|digits|address)>\]/);
  if (parts.length === 1) return () => text;
  return () => {
    const number = nextNumber();
    const filled = parts.map((part, index) => {
      if (index % 2 === 0) return part;
      if (part === 'number') return `${number}`;
      const bounded = number % NUMBERS;
      return part === 'digits' ? `${bounded}`.padStart(DIGITS, '0') : addressOf(bounded);
    });
    return filled.join('');
  };
}

function addressOf(number: number): string {
  return `10.0.${number >> 8}.${number & 255}`;
}
