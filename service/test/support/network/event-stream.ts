import { request as httpRequest, type IncomingMessage } from 'node:http';

/** A stream of server-sent events, as a browser opens it. */
export interface EventStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The events so far. */
  text(): string;
  readonly ended: Promise<void>;
  isOpen(): boolean;
  close(): void;
}

export function openEventStream(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, headers: { accept: 'text/event-stream', ...headers } };
    const call = httpRequest(url, options, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('error', () => {});
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        text: () => text,
        ended: new Promise((over) => answer.once('close', over)),
        isOpen: () => !answer.closed,
        close: () => call.destroy(),
      });
    });
    call.on('error', reject);
    call.end();
  });
}
