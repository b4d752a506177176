import fastifyCookie from '@fastify/cookie';
import type { FastifyError, FastifyInstance } from 'fastify';
import { type ErrorPageOptions, sendObstacle } from './page-errors.ts';

/**
 * Makes a scope one of pages for people: cookies are read, and what fails is a page rather than a
 * problem for programs.
 */
export async function preparePageScope(
  scope: FastifyInstance,
  options: ErrorPageOptions,
): Promise<void> {
  await scope.register(fastifyCookie);
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    // A body that cannot be read is the caller's fault, and has its problem already.
    if (error.code?.startsWith('FST_ERR_CTP_')) throw error;
    request.fault = error;
    // Also after a form: its page lies at the same address, and follows the state.
    const againAt = request.originalUrl.split('?')[0] ?? '';
    const obstacle = request.method === 'POST' ? 'unsure' : 'unavailable';
    return sendObstacle(request, reply, obstacle, options, { againAt });
  });
}
