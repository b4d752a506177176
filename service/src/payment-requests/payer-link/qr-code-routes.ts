import type { FastifyInstance } from 'fastify';
import { SHARED_IMAGE_HEADERS } from '#http/headers/security-headers.ts';
import { qualityOf } from '#http/negotiation/read-preferences.ts';
import { qrCodePng, qrCodeSvg } from '#http/qr-codes/qr-code.ts';
import { Problem } from '#lib/problem.ts';
import type { FindOpenedLink, OpenedLink } from './find-link.ts';

export interface QrCodeRoutesDeps {
  /** {payment_link_base} */
  readonly paymentLinkBase: string;
  readonly findLink: FindOpenedLink;
}

/** PNG, or SVG for a caller that wants it more; holds the payment link (contract §4, Create). */
export function registerQrCodeRoutes(
  app: FastifyInstance,
  { paymentLinkBase, findLink }: QrCodeRoutesDeps,
): void {
  const path = `${new URL(paymentLinkBase).pathname.replace(/\/$/, '')}/qr/:shortCode`;
  app.get<{ Params: { shortCode: string } }>(
    path,
    { schema: { hide: true } },
    async (request, reply) => {
      const { shortCode } = request.params;
      const { accept } = request.headers;
      const opened = await findLink(shortCode, request.ip);
      if (opened.outcome !== 'FOUND') throw problemOf(opened);
      request.paymentRequestId = opened.link.paymentRequest.id;
      const paymentLink = `${paymentLinkBase}/${shortCode}`;
      // Browsers' image requests name both alike: the default stays.
      const wantsSvg = qualityOf('image/svg+xml', accept) > qualityOf('image/png', accept);
      return reply
        .headers({ ...SHARED_IMAGE_HEADERS, vary: 'Accept', 'cache-control': 'no-store' })
        .type(wantsSvg ? 'image/svg+xml' : 'image/png')
        .send(wantsSvg ? qrCodeSvg(paymentLink) : qrCodePng(paymentLink));
    },
  );
}

function problemOf(opened: Exclude<OpenedLink, { outcome: 'FOUND' }>): Problem {
  if (opened.outcome === 'NOT_FOUND') return new Problem('PAYMENT_REQUEST_NOT_FOUND');
  return new Problem('RATE_LIMITED', {
    detail: 'Too many payment links that do not exist, or one link too often, from this address.',
    headers: { 'retry-after': `${opened.retryAfterSeconds}` },
  });
}
