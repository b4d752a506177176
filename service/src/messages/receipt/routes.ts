import type { FastifyInstance } from 'fastify';
import { readForms } from '#http/forms/read-forms.ts';
import { type ErrorPageOptions, sendErrorPage } from '#http/pages/error-page.ts';
import { preparePageScope } from '#http/pages/page-scope.ts';
import type { FindOpenedLink } from '#payment-requests/payer-link/find-link.ts';
import { type AskReceiptDeps, askReceipt } from './ask-receipt.ts';

export interface ReceiptRoutesDeps extends AskReceiptDeps {
  /** {payment_link_base} */
  readonly paymentLinkBase: string;
  readonly findLink: FindOpenedLink;
  readonly errorPages: ErrorPageOptions;
}

/** The form has no field. */
const MOST_BODY_BYTES = 1_024;

/** “E-mail me a receipt” of the page of a payment; the page then says where the receipt goes. */
export function registerReceiptRoutes(app: FastifyInstance, deps: ReceiptRoutesDeps): void {
  const base = new URL(deps.paymentLinkBase).pathname.replace(/\/$/, '');
  app.register(async (scope) => {
    await preparePageScope(scope, deps.errorPages);
    readForms(scope);
    scope.post<{ Params: { shortCode: string } }>(
      `${base}/:shortCode/receipt`,
      { schema: { hide: true }, bodyLimit: MOST_BODY_BYTES },
      async (request, reply) => {
        const { shortCode } = request.params;
        const opened = await deps.findLink(shortCode, request.ip);
        if (opened.outcome === 'NOT_FOUND') {
          return sendErrorPage(request, reply, 'notFound', deps.errorPages);
        }
        if (opened.outcome === 'TOO_MANY') {
          reply.header('retry-after', `${opened.retryAfterSeconds}`);
          return sendErrorPage(request, reply, 'tooMany', deps.errorPages);
        }
        const { id } = opened.link.paymentRequest;
        request.paymentRequestId = id;
        await askReceipt(deps, id);
        const page = `${base}/${shortCode}?returned=1&receipt=asked`;
        return reply.header('cache-control', 'no-store').redirect(page, 303);
      },
    );
  });
}
