/** A request that makes a parser work as long as its bound lets it. */
export interface HostileCall {
  readonly name: string;
  /** Default: GET, or POST with a body. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
  /** Sends the body in chunks of so many bytes. */
  readonly chunkBytes?: number;
}

/** The needs of the calls: credentials and a payment request of the service under test. */
export interface CallTarget {
  /** Credentials of a merchant. */
  readonly merchant: readonly (readonly [string, string])[];
  /** A payment request of the merchant, its payment link, and its page at the network. */
  readonly id: string;
  readonly shortCode: string;
  readonly gateway: string;
}

/** The rest of a head of 16 kB. */
export const HEAD_BYTES = 15_400;
export const BODY_BYTES = 65_536;

/** Repeats a text up to a number of bytes. */
export function fill(unit: string, bytes = HEAD_BYTES): string {
  return unit.repeat(Math.floor(bytes / unit.length));
}

/** Writes the request as bytes; the connection ends behind it. */
export function renderCall({ method, path, headers = [], body, chunkBytes }: HostileCall): Buffer {
  const hasHost = headers.some(([name]) => name === 'host');
  const sizes: [string, string][] =
    body === undefined
      ? []
      : [chunkBytes ? ['transfer-encoding', 'chunked'] : ['content-length', `${body.length}`]];
  const all = [
    ...(hasHost ? [] : [['host', 'localhost'] as const]),
    ...headers,
    ...sizes,
    ['connection', 'close'] as const,
  ];
  const lines = all.map(([name, value]) => `${name}:${value}\r\n`).join('');
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  const head = `${verb} ${path} HTTP/1.1\r\n${lines}\r\n`;
  return Buffer.from(
    head + (chunkBytes ? inChunks(body ?? '', chunkBytes) : (body ?? '')),
    'latin1',
  );
}

function inChunks(body: string, bytes: number): string {
  const chunks: string[] = [];
  for (let at = 0; at < body.length; at += bytes) {
    const chunk = body.slice(at, at + bytes);
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  return `${chunks.join('')}0\r\n\r\n`;
}
