// The service of the package `payment-requests-sandbox`: a sandbox on loopback with a route that
// makes merchants. `payreq serve` cannot register this route: only this module names it.

import { processEnvironment, readConfig } from '#config.ts';
import { Problem } from '#lib/problem.ts';
import { serve } from '#main.ts';
import { LONGEST_MERCHANT_NAME, onboardMerchant } from '#merchants/onboard-merchant.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

/** A name of this machine alone: a page of a browser may call by a name that it has chosen. */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** RFC 9457, §4.2.1: such a type says no more than the status. */
const NO_PAGES = {
  type: 'about:blank',
  title: 'Forbidden',
  status: 403,
  detail: 'A page of a browser may not make merchants: the request has an Origin header.',
};
const NAME_FAULT = {
  field: 'name',
  code: /** @type {const} */ ('INVALID_VALUE'),
  message: `Give a text of 1 to ${LONGEST_MERCHANT_NAME} characters, without control characters.`,
};

const config = readConfig(processEnvironment());
if (config.environment !== 'sandbox' || config.host !== '127.0.0.1') {
  throw new Error('The package runs a sandbox on 127.0.0.1, and nothing else.');
}
await serve(config, {
  roles: ['api', 'background'],
  processes: 1,
  migrates: true,
  registerMore: registerMerchantRoute,
});

/**
 * POST {base_url}/sandbox/merchants makes a merchant, with all that its system needs.
 * @param {import('fastify').FastifyInstance} app
 * @param {import('../../service/src/compose/foundation.ts').Foundation} foundation
 */
function registerMerchantRoute(app, { db, clock }) {
  const { publicApiUrl: baseUrl, publicAuthUrl: authUrl } = config;
  const path = `${new URL(baseUrl).pathname}/sandbox/merchants`;
  const checkWebhookUrl = async () => /** @type {const} */ ({ allowed: true });
  const deps = { ...config, db, clock, checkWebhookUrl, actor: 'sandbox' };
  app.post(path, { schema: { hide: true } }, async (request, reply) => {
    if (!OWN_HOST.test(request.headers.host ?? '')) return reply.callNotFound();
    if (request.headers.origin !== undefined) {
      return reply.code(403).type('application/problem+json').send(JSON.stringify(NO_PAGES));
    }
    const { name = 'Test merchant' } = /** @type {{ name?: unknown }} */ (request.body ?? {});
    const asked = { name: typeof name === 'string' ? name : '', webhookUrl: null };
    const merchant = await onboardMerchant(deps, { ...asked, webhookOrigins: [] }).catch(
      (error) => {
        if (!(error instanceof OperatorFault)) throw error;
        throw new Problem('VALIDATION_ERROR', { errors: [NAME_FAULT] });
      },
    );
    return reply.code(201).send({ baseUrl, authUrl, ...merchant });
  });
}
