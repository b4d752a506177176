import type { NetworkLimits } from '#e-transfer/e-transfer-network.ts';
import { compileMapping, type Origins } from '#lib/compile-mapping.ts';
import { parseInstant } from '#lib/instant.ts';
import { type AmountFault, formatAmount, parseAmountCents } from '#lib/money.ts';
import type { FieldFault } from '#lib/problem.ts';
import type { MessageSettings } from '#merchants/model/message-settings.ts';
import { defaultExpiry, type ExpiryTimes } from '#payment-requests/model/expiry.ts';
import { type ConvertedField, KEPT_FIELDS } from '#payment-requests/model/field-lists.ts';
import {
  currencyFaults,
  dueDateFaults,
  expiryDateTimeFaults,
  fault,
  TEXT_FIELDS,
  textFaults,
  webhookNameFaults,
  webhookUrlField,
} from '#payment-requests/model/field-rules.ts';
import { PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import { planMessages, sendDateTimeFaults } from '#payment-requests/model/messages/delivery.ts';
import {
  channelFaults,
  type MessageChannels,
  payerFaults,
} from '#payment-requests/model/messages/payer-rules.ts';
import type { NewPaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { NewPaymentRequestBody } from '#payment-requests/model/schemas.ts';

export interface CreationLimits {
  readonly maxAmountCents: number;
  /** The deployment's one currency, ISO 4217. */
  readonly currency: string;
  readonly times: ExpiryTimes;
  /** The limits of the network; null: a deployment without a network. */
  readonly network: NetworkLimits | null;
  readonly channels: MessageChannels;
}

/**
 * Finds the faults that no schema finds (contract §4, Create). The schema may have found other
 * faults in `body`; `ruleFaults` validates only members of the right type.
 */
export function ruleFaults(
  body: Partial<NewPaymentRequestBody>,
  limits: CreationLimits,
  now: Date,
): FieldFault[] {
  return [
    ...networkCurrencyFaults(limits),
    ...currencyFaults(body.currency, limits.currency),
    ...channelFaults(body.deliveryMode, body.payer, limits.channels),
    ...payerFaults(body.payer),
    ...sendDateTimeFaults(body.delivery, now, expiryOf(body, now, limits.times)),
    ...dueDateFaults(body.dueDate),
    ...expiryDateTimeFaults(body.expiryDateTime, now, limits.times),
    ...webhookNameFaults(body),
    ...textFaults(body, TEXT_FIELDS),
  ];
}

interface ReadValues {
  readonly amountCents: number;
  readonly now: Date;
  readonly times: ExpiryTimes;
  readonly messageSettings: MessageSettings;
}

type Properties = Origins<NewPaymentRequestBody, ReadValues>;

/** The properties of `NewPaymentRequest` that hold the converted fields. */
const CONVERTED: Readonly<Record<ConvertedField, Properties>> = {
  amount: { amountCents: (_, { amountCents }) => amountCents },
  payer: {
    payer: Object.fromEntries(Object.keys(PAYER_FIELDS).map((name) => [name, `payer.${name}`])),
  },
  expiryDateTime: {
    expiresAt: (body, { now, times }) => expiryOf(body, now, times),
  },
  emailTemplate: { emailTemplateId: ({ emailTemplate }) => emailTemplate?.id ?? null },
  webhookUrl: { webhook: webhookOf },
  callbackUrl: {},
};

/** The validated body as the domain keeps it: values as sent, null for an absent field. */
export const newPaymentRequest = compileMapping<
  NewPaymentRequestBody,
  NewPaymentRequest,
  ReadValues
>(
  {
    ...Object.fromEntries(KEPT_FIELDS.map((name) => [name, name])),
    ...Object.assign({}, ...Object.values(CONVERTED)),
    messagePlan: ({ deliveryMode = null, delivery = null, emailTemplate }, { messageSettings }) =>
      planMessages(
        { deliveryMode, delivery, emailTemplateId: emailTemplate?.id ?? null },
        messageSettings,
      ),
    createdAt: (_, { now }) => now,
  },
  'null',
);

/** The schema may have faulted either member. */
function expiryOf(
  { expiryDateTime, dueDate }: { readonly expiryDateTime?: unknown; readonly dueDate?: unknown },
  now: Date,
  times: ExpiryTimes,
): Date {
  const asked = typeof expiryDateTime === 'string' ? parseInstant(expiryDateTime) : null;
  return asked ?? defaultExpiry(now, typeof dueDate === 'string' ? dueDate : null, now, times);
}

function webhookOf(body: NewPaymentRequestBody): NewPaymentRequest['webhook'] {
  const field = webhookUrlField(body);
  return field && { field, url: body[field] ?? '' };
}

/**
 * Reads the amount from its source text.
 *
 * @param source undefined for an amount that is absent or no number: the schema faults those.
 * @returns the amount in cents, or its fault; null without a source.
 */
export function readAmount(
  source: string | undefined,
  limits: CreationLimits,
): number | FieldFault | null {
  if (source === undefined) return null;
  const highest = limits.network?.highestAmountCents ?? limits.maxAmountCents;
  const mostCents = Math.min(limits.maxAmountCents, highest);
  const result = parseAmountCents(source, mostCents);
  if (typeof result === 'number') return result;
  const messages: Readonly<Record<AmountFault, string>> = {
    INVALID_TYPE: 'Give amount as a number.',
    TOO_LOW: 'Give amount as at least 0.01.',
    TOO_HIGH: `Give amount as at most ${formatAmount(mostCents)}.`,
    TOO_MANY_DECIMALS: 'Give amount with at most two decimals.',
  };
  return fault('amount', result, messages[result]);
}

function networkCurrencyFaults({ currency, network }: CreationLimits): FieldFault[] {
  if (network?.currencies?.includes(currency) ?? true) return [];
  const message = `The network of this service carries no ${currency}.`;
  return [fault('currency', 'INVALID_VALUE', message)];
}
