import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readForms } from '#http/forms/read-forms.ts';
import { type ErrorPageOptions, sendErrorPage } from '#http/pages/error-page.ts';
import { sendPage } from '#http/pages/page.ts';
import { pageLanguage } from '#http/pages/page-language.ts';
import { preparePageScope } from '#http/pages/page-scope.ts';
import type { Wish } from '#messages/model/suppression.ts';
import { refusalPage } from './refusal-page.ts';
import { findLinkedMessage, type RefuseDeps, refuseMessages } from './refuse-messages.ts';

export interface RefusalRoutesDeps extends RefuseDeps {
  readonly errorPages: ErrorPageOptions;
}

interface RefusalRoute {
  Params: { token: string };
}

/** The pages behind the links of a mail, with what each does. */
const PAGES: readonly (readonly [path: string, reason: Wish])[] = [
  ['/messages/:token', 'RECIPIENT_REFUSED'],
  ['/messages/:token/reminders', 'OPTED_OUT'],
];

/** One-click programs send a single short field (RFC 8058). */
const MOST_BODY_BYTES = 1_024;

/**
 * “I did not order this”, and no more reminders: GET shows a page, only POST acts, because programs
 * that scan mails open their links (messages §5). The link is the proof; nobody signs in.
 */
export function registerRefusalRoutes(app: FastifyInstance, deps: RefusalRoutesDeps): void {
  app.register(async (scope) => {
    await preparePageScope(scope, deps.errorPages);
    readForms(scope);
    for (const [path, reason] of PAGES) {
      scope.get<RefusalRoute>(path, { schema: { hide: true } }, (request, reply) =>
        answer(deps, request, reply, reason),
      );
      scope.post<RefusalRoute>(
        path,
        { schema: { hide: true }, bodyLimit: MOST_BODY_BYTES },
        (request, reply) => answer(deps, request, reply, reason),
      );
    }
  });
}

async function answer(
  deps: RefusalRoutesDeps,
  request: FastifyRequest<RefusalRoute>,
  reply: FastifyReply,
  reason: Wish,
): Promise<FastifyReply> {
  const found = await findLinkedMessage(deps, request.params.token);
  if (!found) return sendErrorPage(request, reply, 'notFound', deps.errorPages);
  const { message, paymentRequest } = found;
  request.paymentRequestId = paymentRequest.id;
  const isDone = request.method === 'POST';
  if (isDone) await refuseMessages(deps, message, reason);
  const language = pageLanguage(request, reply, paymentRequest.payer.preferredLanguage);
  return sendPage(reply, 200, refusalPage({ language, paymentRequest, reason, isDone }));
}
