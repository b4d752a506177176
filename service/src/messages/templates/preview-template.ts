import type { Executor } from '#database/database.ts';
import type { Language } from '#http/negotiation/choose-language.ts';
import type { Clock } from '#lib/clock.ts';
import { findKnownMerchant } from '#merchants/known-merchant.ts';
import type { MessageKind, Subject } from '#messages/model/kinds.ts';
import type { NewTemplate } from '#messages/model/template.ts';
import {
  type RenderedMessage,
  type RenderSettings,
  renderMessage,
} from '#messages/rendering/render-message.ts';
import { readMerchant } from '#messages/sending/read-subject.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { failedPaymentRequest } from '#payment-requests/test-webhook/render-test-webhook.ts';

export interface PreviewDeps {
  readonly db: Executor;
  readonly clock: Clock;
  readonly settings: RenderSettings & { readonly publicApiUrl: string };
}

export interface PreviewedMessage {
  readonly merchantId: string;
  /** null: the texts of the deployment alone. */
  readonly template: NewTemplate | null;
  readonly kind: MessageKind;
  readonly language: Language;
}

/** A message of a merchant about an example. @throws OperatorFault for an unknown merchant */
export async function previewTemplate(
  { db, clock, settings }: PreviewDeps,
  { merchantId, template, kind, language }: PreviewedMessage,
): Promise<RenderedMessage> {
  const merchant = await findKnownMerchant(db, merchantId);
  const shown = await readMerchant(db, merchantId, null);
  const refusalUrl = new URL('/messages/preview', settings.publicApiUrl).href;
  const subject = exampleOf(failedPaymentRequest(merchant, clock.now()), kind, language);
  return renderMessage(kind, subject, { ...shown, template, refusalUrl }, settings);
}

/** An example that a message of the kind could be about. */
function exampleOf(example: PaymentRequest, kind: MessageKind, language: Language): Subject {
  const { amountCents, createdAt: completedAt, payer, sums } = example;
  const payment = { institution: '', networkReference: 'A1B2C3', completedAt };
  return {
    paymentRequest: {
      ...example,
      payment,
      payer: { ...payer, preferredLanguage: language },
      sums: { ...sums, receivedCents: amountCents },
    },
    refund: kind.startsWith('REFUND') ? { id: '', amountCents, status: 'COMPLETED' } : null,
  };
}
