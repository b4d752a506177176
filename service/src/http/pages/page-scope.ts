import fastifyCookie from '@fastify/cookie';
import type { FastifyError, FastifyInstance } from 'fastify';
import { NotStarted } from '#http/problems/not-started.ts';
import { type ErrorPageOptions, sendErrorPage } from './error-page.ts';

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
    if (error.code?.startsWith('FST_ERR_CTP_') || error.code === 'PAYLOAD_TOO_LARGE') throw error;
    const isStarted = !(error instanceof NotStarted);
    if (isStarted) request.fault = error;
    else request.problemCode = error.code;
    // Also after a form: its page lies at the same address, and follows the state.
    const againAt = request.originalUrl.split('?')[0] ?? '';
    const obstacle = request.method === 'POST' && isStarted ? 'unsure' : 'unavailable';
    return sendErrorPage(request, reply, obstacle, options, { againAt });
  });
}
