import type { FastifyInstance, FastifySchema } from 'fastify';

export interface Operation {
  /** In lower case, as in the document. */
  readonly method: string;
  /** With the parameters in the router's form: `/v1/payment-requests/:id`. */
  readonly url: string;
  readonly schema: FastifySchema & { readonly operationId: string };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The documented calls. */
    operations: () => readonly Operation[];
  }
}

/**
 * Watches the registered calls; must be called before any route is registered.
 *
 * @returns the documented calls, in the order of their registration
 * @throws Error for a route that is neither documented nor hidden, so that no route is forgotten
 */
export function watchOperations(app: FastifyInstance): () => readonly Operation[] {
  const operations: Operation[] = [];
  const forgotten: string[] = [];
  app.addHook('onRoute', ({ method, url, schema }) => {
    // A HEAD route comes with each GET route, and the GET route documents it.
    if (method === 'HEAD' || schema?.hide) return;
    if (schema?.operationId === undefined) forgotten.push(`${method} ${url}`);
    else
      operations.push({
        method: String(method).toLowerCase(),
        url,
        schema: { ...schema, operationId: schema.operationId },
      });
  });
  const watched = () => {
    if (forgotten.length > 0) throw new Error(`not documented: ${forgotten.join(', ')}`);
    return operations;
  };
  app.decorate('operations', watched);
  return watched;
}
