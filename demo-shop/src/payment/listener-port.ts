import { WEBHOOK_PATH } from './webhook-listener.ts';

/** The next port after the shop's own listener, which receives production's webhooks. */
const PORT_OFFSET = 3;

/** The port of `npm run listener`, where no other one is given. */
export function usualListenerPort(basePort: number): number {
  return basePort + PORT_OFFSET;
}

/**
 * The port of the URL that `npm run listener` is given.
 * @throws Error that says what is wrong with the URL
 */
export function readListenerPort(url: string, basePort: number): number {
  const { protocol, hostname, port, pathname } = URL.parse(url) ?? {};
  const usual = `https://localhost:${usualListenerPort(basePort)}${WEBHOOK_PATH}`;
  if (protocol !== 'https:' || hostname !== 'localhost' || !port) {
    throw new Error(`Give a URL of this machine with its port, as in ${usual}.`);
  }
  if (pathname !== WEBHOOK_PATH) {
    const right = `https://localhost:${port}${WEBHOOK_PATH}`;
    throw new Error(`This listener has only the path ${WEBHOOK_PATH}: give ${right}.`);
  }
  return Number(port);
}
