import { EventEmitter } from 'node:events';
import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { LARGEST_BODY_BYTES } from '#http/json/body.ts';

/**
 * Takes a body that came with its head out of the request at once. Its events as a stream would
 * take four turns of the event loop. Every other body stays a stream.
 *
 * Register it after what bounds the time of a body.
 */
export function takeWholeBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (payload !== request.raw || !isWhole(request)) return done();
    const bytes: Buffer | null = request.raw.read();
    // Fastify reads a body by these events, of any object.
    done(null, bytes ? (new WholeBody(bytes) as unknown as RequestPayload) : payload);
  });
}

/** Larger bodies are refused by their length, and stay unread. */
function isWhole({ raw, headers }: FastifyRequest): boolean {
  const length = Number(headers['content-length']);
  return length > 0 && length <= LARGEST_BODY_BYTES && raw.readableLength === length;
}

/** The bytes of a body as the events of a stream. */
class WholeBody extends EventEmitter {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.#bytes = bytes;
  }

  resume(): this {
    this.emit('data', this.#bytes);
    this.emit('end');
    return this;
  }
}
