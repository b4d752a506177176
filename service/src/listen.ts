import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ConfigFaults } from './config.ts';

/** Errors of a listener whose host is another machine's address or an unknown name. */
const NO_ADDRESS_HERE = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'];

/**
 * Binds a listener.
 *
 * @returns the port, also where port 0 let the system choose
 * @throws ConfigFaults where the host is no address of this machine
 */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!NO_ADDRESS_HERE.includes(code)) throw error;
    throw new ConfigFaults([`HOST or OPS_HOST is ${host}, no address of this machine (${code}).`]);
  }
  return (app.server.address() as AddressInfo).port;
}
