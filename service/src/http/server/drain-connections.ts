import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A connection on which no request is whole has this long at a stop; a pause for the network. */
const SWEEP_MS = 500;

/** The calls of a connection. Plain properties: no Set of answers, see owed-answers.ts. */
interface Calls {
  count: number;
  /** After this answer the connection closes when the service stops. */
  latest: ServerResponse | null;
}

const callsOf = new WeakMap<Server, ReadonlyMap<Socket, Calls>>();

/**
 * Lets a listener end as soon as its calls are answered. Node.js ends its idle connections once,
 * when the close begins. A connection whose call ends later would stay open for its keep-alive
 * time, and a connection that has sent nothing would stay for ever.
 */
export function drainConnections(app: FastifyInstance): void {
  const { server } = app;
  const callsByConnection = new Map<Socket, Calls>();
  callsOf.set(server, callsByConnection);
  let isStopping = false;
  server.on('connection', (socket) => {
    callsByConnection.set(socket, { count: 0, latest: null });
    socket.once('close', () => callsByConnection.delete(socket));
  });
  // Before the handler, which may answer at once.
  server.prependListener('request', ({ socket }, response) => {
    const calls = callsByConnection.get(socket);
    if (!calls) return;
    calls.count += 1;
    calls.latest = response;
    if (isStopping) response.shouldKeepAlive = false;
    response.once('close', () => {
      calls.count -= 1;
      if (calls.latest === response) calls.latest = null;
      if (isStopping && calls.count === 0) socket.destroySoon();
    });
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    // The head of an answer then says that its connection closes.
    for (const { latest } of callsByConnection.values()) {
      if (latest && !latest.headersSent) latest.shouldKeepAlive = false;
    }
    const sweep = setInterval(() => {
      for (const [socket, { count }] of callsByConnection) if (count === 0) socket.destroy();
    }, SWEEP_MS);
    server.once('close', () => clearInterval(sweep));
  });
}

/** How many calls a listener has not answered yet. */
export function countCallsUnderWay({ server }: FastifyInstance): number {
  let count = 0;
  for (const calls of callsOf.get(server)?.values() ?? []) count += calls.count;
  return count;
}

/** Whether a call of this connection has not been answered yet. */
export function isCallUnderWay({ server }: FastifyInstance, socket: Socket): boolean {
  return (callsOf.get(server)?.get(socket)?.count ?? 0) > 0;
}
