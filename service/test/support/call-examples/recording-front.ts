import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A call that went through, and the status of its answer. */
export interface RecordedCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string;
  readonly status: number;
}

export interface RecordingFront {
  readonly url: string;
  /** In the order of their answers. */
  readonly calls: readonly RecordedCall[];
  close(): Promise<void>;
}

/** A proxy in front of a service, which records each call. */
export async function startRecordingFront(target: string): Promise<RecordingFront> {
  const calls: RecordedCall[] = [];
  const server = createServer(async (message, reply) => {
    const { method = '', url: path = '', headers } = message;
    const body = await buffer(message);
    const inner = request(new URL(path, target), {
      method,
      headers: { ...headers, host: new URL(target).host },
    });
    inner.on('error', () => reply.destroy());
    inner.on('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      calls.push({ method, path, body: body.toString(), status });
      reply.writeHead(status, answer.headers);
      answer.pipe(reply);
    });
    inner.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
