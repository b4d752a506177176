import type { Database } from '#database/database.ts';
import type { NetworkRequest } from '#e-transfer/e-transfer-network.ts';
import { cellMark } from '#lib/cells/cell-mark.ts';
import type { RotatingKey } from '#lib/secret-key.ts';
import { findCurrentAccount } from '#merchants/accounts/find-current-account.ts';
import { findProfile } from '#merchants/profile/find-profile.ts';
import { logoPath, type MerchantProfile } from '#merchants/profile/profile.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { Log } from '#telemetry/log/log.ts';
import { type NetworkCalls, NetworkUnavailable } from './client.ts';
import { decisionProof } from './decision-proof.ts';
import { findNetworkAnswer, insertNetworkRequest, saveNetworkAnswer } from './request-store.ts';
import { FIRST_POLL_SECONDS } from './schedule.ts';

export interface PayerUrlDeps {
  readonly db: Database;
  readonly calls: NetworkCalls;
  readonly log: Log;
  /** `CELL` */
  readonly cell: number;
  /** {payment_link_base} */
  readonly paymentLinkBase: string;
  readonly currency: string;
  /** Makes and checks the proofs of decisions. */
  readonly secretsKey: RotatingKey;
}

/**
 * The URL that the payer of an open payment request goes to. The network learns of the request
 * when its link is first opened (decision 0018). Opening the link again sends later changes.
 *
 * @returns null while the network does not answer and never has.
 */
export async function findPayerUrl(
  deps: PayerUrlDeps,
  paymentRequest: PaymentRequest,
): Promise<string | null> {
  const { db, log } = deps;
  const { id: paymentRequestId } = paymentRequest;
  const known = await findNetworkAnswer(db, paymentRequestId);
  if (known?.knownVersion === paymentRequest.version) return known.payerUrl;
  // Written first: without an answer, reconciliation polls the network.
  if (!known) await insertNetworkRequest(db, paymentRequestId, FIRST_POLL_SECONDS);
  try {
    return await updateAtNetwork(deps, paymentRequest);
  } catch (error) {
    if (!(error instanceof NetworkUnavailable)) throw error;
    log.warn({ paymentRequestId, err: error }, 'e-transfer network not reached');
    // The payment there may be out of date; a report of it is still validated here.
    return known?.payerUrl ?? null;
  }
}

/** Creates the payment at the network, or updates it there. */
export async function updateAtNetwork(
  deps: Omit<PayerUrlDeps, 'log'>,
  paymentRequest: PaymentRequest,
): Promise<string> {
  const { db, calls } = deps;
  const profile = await findProfile(db, paymentRequest.merchant.id);
  const creditorAccount = await findCurrentAccount(db, paymentRequest.merchant.id);
  const request = networkRequestOf(paymentRequest, profile, deps);
  const payerUrl = await calls.create({ ...request, creditorAccount });
  const knownVersion = paymentRequest.version;
  await saveNetworkAnswer(db, paymentRequest.id, { payerUrl, knownVersion });
  return payerUrl;
}

function networkRequestOf(
  p: PaymentRequest,
  { displayName, accentColour, logoHash, supportEmail, supportPhone, website }: MerchantProfile,
  {
    cell,
    paymentLinkBase,
    currency,
    secretsKey,
  }: Pick<PayerUrlDeps, 'cell' | 'paymentLinkBase' | 'currency' | 'secretsKey'>,
): Omit<NetworkRequest, 'creditorAccount'> {
  const paymentLink = `${paymentLinkBase}/${p.shortCode}`;
  const logoUrl = logoHash && new URL(logoPath(cellMark(cell) + logoHash), paymentLinkBase).href;
  return {
    paymentRequestId: p.id,
    merchantId: p.merchant.id,
    payer: { name: p.payer.name, email: p.payer.email, mobileNumber: p.payer.mobileNumber },
    amountCents: p.amountCents,
    currency,
    merchantName: p.merchant.name,
    merchantProfile: { displayName, logoUrl, accentColour, supportEmail, supportPhone, website },
    merchantReturnUrl: p.returnUrl,
    displayMessage: p.displayMessage,
    invoiceNumber: p.invoiceNumber,
    expiresAt: p.expiresAt,
    preferredLanguage: p.payer.preferredLanguage,
    paymentLink,
    qrCodeLink: `${paymentLinkBase}/qr/${p.shortCode}`,
    returnUrl: `${paymentLink}?returned=1`,
    decisionProof: decisionProof(secretsKey, p.id),
  };
}
