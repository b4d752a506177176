import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on localhost; gives the port, which the system chooses for 0. */
export async function startServer(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Accepts no new connection and lets requests in progress end. */
export function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
