import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '#database/database.ts';
import type { AddressLimit } from '#http/overload/address-limit.ts';
import { type ErrorPageOptions, sendErrorPage } from '#http/pages/error-page.ts';
import { isPageId } from '#lib/cells/page-id.ts';
import { findTransferRequest } from './request-store.ts';
import type { TransferRequest } from './transfer-request.ts';

/** The addresses of the payer's pages begin with it, then the page's key. */
export const TRANSFER_PATH = '/transfer';

export interface OpenTransferDeps {
  readonly db: Database;
  /** Counts addresses of pages that do not exist. */
  readonly misses: AddressLimit;
  readonly errorPages: ErrorPageOptions;
}

/**
 * Finds the request of a page; null when a page was answered already. The look-up comes first: a
 * page that exists is never refused for other people's guesses.
 */
export async function openTransfer(
  { db, misses, errorPages }: OpenTransferDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<TransferRequest | null> {
  const { key } = request.params as { readonly key: string };
  const found = isPageId(key) ? await findTransferRequest(db, key) : undefined;
  if (found) {
    request.paymentRequestId = found.paymentRequestId;
    return found;
  }
  const isWithin = misses.count(request.ip);
  if (!isWithin) reply.header('retry-after', `${misses.retryAfterSeconds()}`);
  sendErrorPage(request, reply, isWithin ? 'notFound' : 'tooMany', errorPages);
  return null;
}
