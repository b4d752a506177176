/**
 * The process behind webhook-isolation.ts: HTTPS listeners on loopback, of which the first take
 * connections and requests and never answer.
 *   node bench/webhook-listeners.ts <listeners> <hanging>
 * Prints `{ caPem, ports }` and then, for each webhook at a listener that answers, its event and the
 * moment when it came: `<webhook-id> <milliseconds since 1970>`.
 */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestAuthority } from '../service/test/support/https-listener.ts';

const [listeners = 0, hanging = 0] = process.argv.slice(2).map(Number);
const authority = await createTestAuthority();
const tls = await authority.issue();
const ports: number[] = [];
for (let index = 0; index < listeners; index += 1) ports.push(await listen(index < hanging));
process.stdout.write(`${JSON.stringify({ caPem: authority.caPem, ports })}\n`);

async function listen(isHanging: boolean): Promise<number> {
  const server = createServer(tls, (request, response) => {
    if (isHanging) return;
    const id = request.headers['webhook-id'];
    process.stdout.write(`${id} ${performance.timeOrigin + performance.now()}\n`);
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
