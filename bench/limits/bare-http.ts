/**
 * The limit of Node.js: a bare `node:http` server. It parses the same bodies as the service and
 * answers the same bytes with the same headers, and does nothing else.
 *   node bench/limits/bare-http.ts PORT
 * Each message is a BareAnswer that the server gives from then on.
 */
import { createServer } from 'node:http';

export interface BareAnswer {
  /** Method and target, as in `GET /v1/payment-requests`. */
  readonly call: string;
  readonly status: number;
  /** All headers except those that node:http adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const answers = new Map<string, Omit<BareAnswer, 'body'> & { readonly body: Buffer }>();

const server = createServer((request, response) => {
  const answer = answers.get(`${request.method} ${request.url}`);
  if (!answer) {
    response.writeHead(404).end();
    return;
  }
  const { status, headers, body } = answer;
  if (request.method === 'GET') {
    response.writeHead(status, headers).end(body);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    if (request.headers['content-type'] === 'application/json') JSON.parse(text);
    else new URLSearchParams(text);
    response.writeHead(status, headers).end(body);
  });
});

process.once('disconnect', () => process.exit());
process.on('message', (answer: BareAnswer) => {
  answers.set(answer.call, { ...answer, body: Buffer.from(answer.body) });
  process.send?.('added');
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));
