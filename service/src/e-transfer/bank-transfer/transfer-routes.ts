import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FORM_TYPE } from '#http/forms/read-forms.ts';
import type { LivePages } from '#http/live/live-pages.ts';
import { registerLivePageRoute } from '#http/live/routes.ts';
import type { Language } from '#http/negotiation/choose-language.ts';
import type { AddressLimit } from '#http/overload/address-limit.ts';
import { sendErrorPage } from '#http/pages/error-page.ts';
import { sendPage } from '#http/pages/page.ts';
import { pageLanguage } from '#http/pages/page-language.ts';
import { preparePageScope } from '#http/pages/page-scope.ts';
import { keepSent } from '#http/pages/sent-cookie.ts';
import { qrCodePng, qrCodeSvg } from '#http/qr-codes/qr-code.ts';
import { isPageId } from '#lib/cells/page-id.ts';
import { type NoteTransferSentDeps, noteTransferSent } from './note-transfer-sent.ts';
import { type OpenTransferDeps, openTransfer, TRANSFER_PATH } from './open-transfer.ts';
import { askedPanel, transferPage } from './pages/transfer-page.ts';
import { type TransferQr, transferQrOf } from './qr/transfer-qr.ts';
import { owedCents, type TransferRequest, transferStepOf } from './transfer-request.ts';

export interface TransferRoutesDeps extends OpenTransferDeps, NoteTransferSentDeps {
  readonly livePages: LivePages;
  /** Counts the forms that an address sends. */
  readonly forms: AddressLimit;
  /** `TIME_ZONE` */
  readonly timeZone: string;
  readonly isDemo: boolean;
}

const PAGE = `${TRANSFER_PATH}/:key`;
/** The form has no field. */
const LARGEST_FORM_BYTES = 256;

/** The payer's pages (bank-transfer §2): the page follows the state, a GET changes nothing. */
export function registerTransferRoutes(app: FastifyInstance, deps: TransferRoutesDeps): void {
  app.register(async (scope) => {
    await preparePageScope(scope, deps.errorPages);
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'string', bodyLimit: LARGEST_FORM_BYTES } as const;
    scope.addContentTypeParser(FORM_TYPE, options, (_request, _body, done) => done(null, null));
    const hidden = { schema: { hide: true } };
    scope.get(PAGE, hidden, (request, reply) => showPage(deps, request, reply));
    scope.post(`${PAGE}/sent`, hidden, (request, reply) => takeForm(deps, request, reply));
    // The address of the form after a reload, or typed from a printed page.
    scope.get(`${PAGE}/sent`, hidden, (request, reply) => backToPage(request, reply));
    for (const kind of ['svg', 'png'] as const) {
      scope.get(`${PAGE}/qr.${kind}`, hidden, (request, reply) =>
        sendImage(deps, kind, request, reply),
      );
    }
  });
  registerLivePageRoute(app, {
    path: `${PAGE}/live`,
    pages: deps.livePages,
    misses: deps.misses,
    idOf: (request) => (isPageId(keyOf(request)) ? keyOf(request) : null),
  });
}

const keyOf = ({ params }: Pick<FastifyRequest, 'params'>): string =>
  (params as { readonly key: string }).key;

async function showPage(
  deps: TransferRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = await openTransfer(deps, request, reply);
  if (!found) return reply;
  const step = transferStepOf(found);
  // The final page is that of the payment link, which every browser reads alike.
  if (step === 'PAID') return seeOther(reply, found.returnUrl);
  const page = transferPage(step, {
    ...deps,
    request: found,
    language: pageLanguage(request, reply, found.preferredLanguage),
    path: `${TRANSFER_PATH}/${found.pageKey}`,
    hasQrCode: qrOf(found) !== null,
  });
  return sendPage(reply, 200, page);
}

async function takeForm(
  deps: TransferRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { errorPages, forms } = deps;
  const found = await openTransfer(deps, request, reply);
  if (!found) return reply;
  const extras = {
    preferredLanguage: found.preferredLanguage,
    againAt: `${TRANSFER_PATH}/${found.pageKey}`,
    about: (language: Language) => askedPanel({ request: found, language }),
  };
  // The key is the only secret of the form: a page of another site that knows it sends no form.
  const site = request.headers['sec-fetch-site'] ?? 'same-origin';
  if (site !== 'same-origin' && site !== 'none') {
    return sendErrorPage(request, reply, 'outdated', errorPages, extras);
  }
  if (!forms.count(request.ip)) {
    reply.header('retry-after', `${forms.retryAfterSeconds()}`);
    return sendErrorPage(request, reply, 'tooMany', errorPages, extras);
  }
  await noteTransferSent(deps, found);
  keepSent(request, reply, found.returnUrl);
  return backToPage(request, reply);
}

function backToPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return seeOther(reply, `${TRANSFER_PATH}/${encodeURIComponent(keyOf(request))}`);
}

function seeOther(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}

/** A request that is over has no image: its page shows no account either. */
async function sendImage(
  deps: TransferRoutesDeps,
  kind: 'svg' | 'png',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = await openTransfer(deps, request, reply);
  if (!found) return reply;
  const qr = qrOf(found);
  if (!qr) return sendErrorPage(request, reply, 'noPage', deps.errorPages);
  reply.header('cache-control', 'no-store');
  if (kind === 'svg') return reply.type('image/svg+xml').send(qrCodeSvg(qr.text, qr));
  return reply
    .type('image/png')
    .header('content-disposition', 'attachment; filename="transfer.png"')
    .send(qrCodePng(qr.text, qr));
}

/** The code of what is still owed; null: no code, or the request is over. */
function qrOf(request: TransferRequest): TransferQr | null {
  const step = transferStepOf(request);
  if (step !== 'ASK' && step !== 'WAIT') return null;
  const { account, currency, reference } = request;
  return transferQrOf(currency, {
    ...account,
    iban: account.accountNumber,
    amountCents: owedCents(request),
    reference,
  });
}
