import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ConfigFaults } from '#config.ts';

/** Errors of a listener whose host is another machine's address or an unknown name. */
const NO_ADDRESS_HERE = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'];

type LookupAll = (name: string) => Promise<readonly string[]>;

async function lookupAddresses(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/**
 * Binds a listener.
 *
 * @param lookupAll finds the addresses of localhost
 * @returns the port, also where port 0 let the system choose
 * @throws ConfigFaults where the host is no address of this machine
 */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  lookupAll: LookupAll = lookupAddresses,
): Promise<number> {
  const beside: Server[] = [];
  app.addHook('preClose', async () => {
    for (const server of beside) server.close();
  });
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!NO_ADDRESS_HERE.includes(code)) throw error;
    throw new ConfigFaults([`HOST or OPS_HOST is ${host}, no address of this machine (${code}).`]);
  }
  const bound = app.server.address() as AddressInfo;
  if (host === 'localhost') beside.push(...(await bindOtherLoopbacks(app, bound, lookupAll)));
  return bound.port;
}

/**
 * localhost may be both 127.0.0.1 and ::1, and a server binds the first. Connections to the other
 * address are handed to the same server, so that its bounds and its load gate hold for them too.
 */
async function bindOtherLoopbacks(
  app: FastifyInstance,
  bound: AddressInfo,
  lookupAll: LookupAll,
): Promise<Server[]> {
  const others = (await lookupAll('localhost')).filter((address) => address !== bound.address);
  const servers: Server[] = [];
  for (const address of others) {
    // The options of node:http's own sockets.
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      app.server.emit('connection', socket);
    });
    server.listen({ host: address, port: bound.port });
    // An address that is configured but cannot be bound is left out, as IPv6 may be switched off.
    const isBound = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isBound) servers.push(server);
  }
  return servers;
}
