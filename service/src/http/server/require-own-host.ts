import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#lib/problem.ts';

/**
 * Refuses calls whose Host is another server's name. A web page can make its own name lead to a
 * private address (DNS rebinding), and then read what the browser of an operator reaches. An IP
 * address has no such name, and a name without a dot belongs to nobody outside: probes of a
 * container by its address, or by the name of its service, are answered.
 *
 * @param ownHost what the listener is bound to
 */
export function requireOwnHost(app: FastifyInstance, ownHost: string): void {
  const own = ownHost.toLowerCase();
  app.addHook('onRequest', (request, _reply, done) => {
    const { host } = request.raw.headers;
    // No browser sends HTTP/1.0 without a Host, as some load balancers do.
    const isOwn = host === undefined || isOwnHost(hostnameOf(host), own);
    done(isOwn ? undefined : new Problem('MISDIRECTED_REQUEST'));
  });
}

/** The host without its port; in brackets an address of IPv6. */
function hostnameOf(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1];
  return (bracketed ?? host.replace(/:\d*$/, '')).toLowerCase();
}

function isOwnHost(name: string, own: string): boolean {
  if (isIP(name) !== 0 || name === own) return true;
  return name !== '' && (!name.includes('.') || name.endsWith('.localhost'));
}
