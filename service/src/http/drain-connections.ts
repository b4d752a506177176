import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A connection on which no request is whole has this long at a stop; a pause for the network. */
const SWEEP_MS = 500;

const callsOf = new WeakMap<Server, ReadonlyMap<Socket, number>>();

/**
 * Lets a listener end as soon as its calls are answered. Node.js ends its idle connections once,
 * when the close begins. A connection whose call ends later would stay open for its keep-alive
 * time, and a connection that has sent nothing would stay for ever.
 */
export function drainConnections(app: FastifyInstance): void {
  const { server } = app;
  const calls = new Map<Socket, number>();
  const answers = new Set<ServerResponse>();
  callsOf.set(server, calls);
  let isStopping = false;
  server.on('connection', (socket) => {
    calls.set(socket, 0);
    socket.once('close', () => calls.delete(socket));
  });
  // Before the handler, which may answer at once.
  server.prependListener('request', ({ socket }, response) => {
    calls.set(socket, (calls.get(socket) ?? 0) + 1);
    answers.add(response);
    if (isStopping) response.shouldKeepAlive = false;
    response.once('close', () => {
      answers.delete(response);
      const left = (calls.get(socket) ?? 1) - 1;
      if (calls.has(socket)) calls.set(socket, left);
      if (isStopping && left === 0) socket.destroySoon();
    });
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    // The head of an answer then says that its connection closes.
    for (const answer of answers) if (!answer.headersSent) answer.shouldKeepAlive = false;
    const sweep = setInterval(() => {
      for (const [socket, count] of calls) if (count === 0) socket.destroy();
    }, SWEEP_MS);
    server.once('close', () => clearInterval(sweep));
  });
}

/** How many calls a listener has not answered yet. */
export function countCallsUnderWay({ server }: FastifyInstance): number {
  let count = 0;
  for (const calls of callsOf.get(server)?.values() ?? []) count += calls;
  return count;
}

/** Whether a call of this connection has not been answered yet. */
export function isCallUnderWay({ server }: FastifyInstance, socket: Socket): boolean {
  return (callsOf.get(server)?.get(socket) ?? 0) > 0;
}
