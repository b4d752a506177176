import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** How often each header came. */
  readonly counts: ReadonlyMap<string, number>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds
  readonly json: any;
}

/** Longer than any answer takes on a busy machine; a test that waits for time-outs says its own. */
const PATIENCE_MS = 60_000;

export interface RawCallOptions {
  /** Ends our half after the bytes, as a caller that is cut off. */
  readonly end?: boolean;
  readonly patienceMs?: number;
  /** The answers to wait for where the connection stays open. */
  readonly answers?: number;
}

/** Sends bytes over a connection of their own and reads the answers, until it closes. */
export async function rawCall(
  url: string,
  bytes: string | Buffer,
  options: RawCallOptions = {},
): Promise<RawAnswer[]> {
  const socket = open(url);
  socket.write(bytes);
  if (options.end) socket.end();
  return readAnswers(socket, options);
}

export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => {});
  return socket;
}

/** All answers until the connection closes, or until as many as asked for are there. */
export async function readAnswers(
  socket: Socket,
  { patienceMs = PATIENCE_MS, answers }: RawCallOptions = {},
): Promise<RawAnswer[]> {
  let received = Buffer.alloc(0);
  try {
    return await new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`still open after ${patienceMs} ms: ${received}`)),
        patienceMs,
      );
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        const found = answers === undefined ? [] : parseAnswers(received);
        if (answers !== undefined && found.length >= answers) settle(found);
      });
      socket.on('end', () => settle(parseAnswers(received)));
      socket.on('close', () => settle(parseAnswers(received)));
      function settle(found: RawAnswer[]) {
        clearTimeout(late);
        resolve(found);
      }
    });
  } finally {
    socket.destroy();
  }
}

export function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return answers;
    const [line = '', ...fields] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const match = /^HTTP\/1\.1 (\d{3}) [A-Za-z -]+$/.exec(line);
    assert.ok(match, `no status line: ${line}`);
    const headers = new Map<string, string>();
    const counts = new Map<string, number>();
    for (const field of fields) {
      const name = field.slice(0, field.indexOf(':')).toLowerCase();
      headers.set(name, field.slice(field.indexOf(':') + 1).trim());
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.subarray(headEnd + 4, headEnd + 4 + length);
    if (body.length < length) return answers;
    const text = body.toString();
    const isJson = /json/.test(headers.get('content-type') ?? '') && text !== '';
    const status = Number(match[1]);
    answers.push({ status, headers, counts, text, json: isJson ? JSON.parse(text) : undefined });
    rest = rest.subarray(headEnd + 4 + length);
  }
  return answers;
}
