/**
 * The process behind measures/webhook-deliveries.ts: HTTPS listeners that count webhooks.
 *   node bench/webhooks/receiver.ts <listeners> <tls file>
 * Its first message holds the ports. It answers `{ expect: n }` at once, and sends Arrivals when n
 * webhooks with different ids have come since.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** The instants of the first and the last expected webhook, in milliseconds. */
export interface Arrivals {
  readonly firstMs: number;
  readonly lastMs: number;
}

let expected = 0;
let firstMs = 0;
const ids = new Set<string>();

const [listeners, tlsFile = ''] = process.argv.slice(2);
const tls = JSON.parse(readFileSync(tlsFile, 'utf8'));
const ports: number[] = [];
for (let left = Number(listeners); left > 0; left -= 1) ports.push(await listen());
process.once('disconnect', () => process.exit());
process.on('message', (message: { expect: number }) => {
  expected = message.expect;
  ids.clear();
  process.send?.('expecting');
});
process.send?.(ports);

async function listen(): Promise<number> {
  const server = createServer(tls, (request, response) => {
    request.resume();
    request.on('end', () => {
      count(`${request.headers['webhook-id']}`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function count(id: string): void {
  if (ids.size === 0) firstMs = performance.now();
  const isNew = !ids.has(id);
  ids.add(id);
  if (!isNew || ids.size !== expected) return;
  process.send?.({ firstMs, lastMs: performance.now() } satisfies Arrivals);
}
