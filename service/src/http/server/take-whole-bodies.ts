import { EventEmitter } from 'node:events';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { LARGEST_BODY_BYTES } from '#http/json/body.ts';

/**
 * Takes a body that came with its head out of the request at once. Its events as a stream would
 * take four turns of the event loop. Every other body stays a stream.
 *
 * Register this hook after the hook that bounds the time of a body.
 */
export function takeWholeBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (payload !== request.raw) return done();
    if (isAwaitedInVain(request)) return done(null, asPayload(new WholeBody(null)));
    if (!isWhole(request)) return done();
    const bytes: Buffer | null = request.raw.read();
    done(null, bytes ? asPayload(new WholeBody(bytes)) : payload);
  });
}

/** Fastify reads a body by its events, of any object. */
function asPayload(body: WholeBody): RequestPayload {
  return body as unknown as RequestPayload;
}

function isAwaitedInVain({ headers }: FastifyRequest): boolean {
  return (
    headers['content-type'] !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

/** Larger bodies are refused by their length, and stay unread. */
function isWhole({ raw, headers }: FastifyRequest): boolean {
  const length = Number(headers['content-length']);
  return length > 0 && length <= LARGEST_BODY_BYTES && raw.readableLength === length;
}

/** The bytes of a body, or none, as the events of a stream. */
class WholeBody extends EventEmitter {
  readonly #bytes: Buffer | null;

  constructor(bytes: Buffer | null) {
    super();
    this.#bytes = bytes;
  }

  resume(): this {
    if (this.#bytes) this.emit('data', this.#bytes);
    this.emit('end');
    return this;
  }
}
