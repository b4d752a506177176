/**
 * The process behind measures/webhook-lag.ts: HTTPS listeners on loopback. The first `hanging`
 * listeners accept connections and requests and never answer.
 *   node bench/webhooks/listeners.ts <listeners> <hanging> <tls file>
 * Prints the ports as JSON. Then it prints a line for each webhook at a listener that answers:
 * `<id of its payment request> <arrival in milliseconds since 1970>`.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const [listeners, hanging, tlsFile = ''] = process.argv.slice(2);
const tls = JSON.parse(readFileSync(tlsFile, 'utf8'));
const ports: number[] = [];
for (let n = 0; n < Number(listeners); n += 1) ports.push(await listen(n < Number(hanging)));
process.stdout.write(`${JSON.stringify(ports)}\n`);

async function listen(isHanging: boolean): Promise<number> {
  const server = createServer(tls, async (request, response) => {
    if (isHanging) return;
    const atMs = performance.timeOrigin + performance.now();
    const { resource } = (await json(request)) as { resource: { id: string } };
    process.stdout.write(`${resource.id} ${atMs}\n`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
