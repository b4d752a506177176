import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isStrict } from './call.ts';
import { type ObjectSchema, unknownMembers } from './normalise-body.ts';

const WARNING = 'payment-requests-warning';
/** Names in the header, so that it stays short. */
const MOST_NAMED = 5;
/** A header takes no other name: it could have line breaks or other than ASCII characters. */
const SHOWN_NAME = /^[\w.-]{1,64}$/;

/**
 * Makes calls whose body has unknown members say so in the header Payment-Requests-Warning of a
 * successful answer: they are ignored (contract §4), and are probably a mistake. For the sandbox.
 */
export function warnOfUnknownMembers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.body !== undefined && reply.statusCode < 300) {
      const warning = warningOf(request);
      const earlier = reply.getHeader(WARNING);
      if (warning) reply.header(WARNING, earlier ? `${earlier} ${warning}` : warning);
    }
    done();
  });
}

function warningOf(request: FastifyRequest): string | null {
  const schema = request.routeOptions.schema?.body as ObjectSchema | undefined;
  if (!schema || isStrict(request)) return null;
  const names = unknownMembers(request.body, schema).map(({ path }) => path.join('.'));
  if (names.length === 0) return null;
  const shown = names.filter((name) => SHOWN_NAME.test(name)).slice(0, MOST_NAMED);
  const others = names.length - shown.length;
  const all = [...shown, ...(others > 0 ? [`${others} more`] : [])].join(', ');
  return `Members of the body that are ignored: ${all}. Prefer: handling=strict refuses them.`;
}
