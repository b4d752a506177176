import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** At a stop, a connection without a whole request has this long; a pause for the network. */
const SWEEP_MS = 500;

/** The calls of a connection. Plain properties: no Set of answers, see pending-responses.ts. */
interface Calls {
  count: number;
  /** After this answer the connection closes when the service stops. */
  latest: ServerResponse | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The calls of the listener that are not answered yet. */
    openCalls: OpenCalls;
  }
}

/**
 * Follows the calls of one listener, and lets the listener end as soon as its calls are answered.
 * Node.js ends its idle connections once, when the close begins. A connection whose call ends later
 * would stay open for its keep-alive time, and a connection that has sent nothing would stay
 * for ever.
 */
export class OpenCalls {
  readonly #byConnection = new Map<Socket, Calls>();
  #isStopping = false;

  /** Stands in front of a handler, which may answer at once, and counts its calls. */
  inFrontOf(handle: RequestListener): RequestListener {
    return (request, response) => {
      this.#follow(request, response);
      handle(request, response);
    };
  }

  /** Follows the app's connections, and ends them at its stop. */
  watch(app: FastifyInstance): void {
    const { server } = app;
    app.decorate('openCalls', this as OpenCalls);
    server.on('connection', (socket) => {
      this.#byConnection.set(socket, { count: 0, latest: null });
      socket.once('close', () => this.#byConnection.delete(socket));
    });
    app.addHook('preClose', async () => this.#drain(server));
  }

  count(): number {
    let count = 0;
    for (const calls of this.#byConnection.values()) count += calls.count;
    return count;
  }

  /** Whether a call of this connection has not been answered yet. */
  isUnderWay(socket: Socket): boolean {
    return (this.#byConnection.get(socket)?.count ?? 0) > 0;
  }

  #follow({ socket }: IncomingMessage, response: ServerResponse): void {
    const calls = this.#byConnection.get(socket);
    if (!calls) return;
    calls.count += 1;
    calls.latest = response;
    if (this.#isStopping) response.shouldKeepAlive = false;
    // Emitted once for each answer; the wrapper of `once` would cost more than this listener.
    response.on('close', () => {
      calls.count -= 1;
      if (calls.latest === response) calls.latest = null;
      if (this.#isStopping && calls.count === 0) socket.destroySoon();
    });
  }

  #drain(server: Server): void {
    this.#isStopping = true;
    // The head of an answer then says that its connection closes.
    for (const { latest } of this.#byConnection.values()) {
      if (latest && !latest.headersSent) latest.shouldKeepAlive = false;
    }
    const sweep = setInterval(() => {
      for (const [socket, { count }] of this.#byConnection) if (count === 0) socket.destroy();
    }, SWEEP_MS);
    server.once('close', () => clearInterval(sweep));
  }
}
