/**
 * The limit of Node.js itself: a bare `node:http` server that parses the same create body and
 * answers the same bytes as the service, with nothing in between.
 * `node bench/limits/bare-http.ts PORT ANSWER_FILE`
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, answerFile] = process.argv.slice(2);
const answer = readFileSync(answerFile ?? '');
const headers = { 'content-type': 'application/json', 'content-length': answer.length };

createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, headers).end(answer);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(201, headers).end(answer);
  });
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
