import { type Static, Type } from 'typebox';
import { INSTANT_FORM, parseInstant } from '#lib/instant.ts';
import type { FieldFault } from '#lib/problem.ts';
import {
  type MessageSettings,
  MOST_REMINDER_HOURS,
  MOST_REMINDERS,
} from '#merchants/model/message-settings.ts';

/** The ways on which the payer can be sent the link (messages §1). */
export const CHANNELS = ['EMAIL', 'SMS'] as const;
export type Channel = (typeof CHANNELS)[number];
export const ChannelSchema = Type.Enum([...CHANNELS], {
  title: 'MessageChannel',
  description: 'How a message goes to the payer.',
});
export const DELIVERY_MODES = ['NONE', ...CHANNELS] as const;

/** A payer has some time to pay after the link has arrived (messages §1). */
const LEAST_BEFORE_EXPIRY_MS = 3_600_000;
/** The clock of a merchant's system may be behind by this much. */
const MOST_IN_THE_PAST_MS = 300_000;

/**
 * The member `delivery` of a payment request; messages §1 says what each means. Its page in the
 * reference has a bound.
 */
export const DeliverySchema = Type.Object(
  {
    sendDateTime: Type.Optional(Type.String({ format: 'date-time' })),
    reminders: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: MOST_REMINDER_HOURS }), {
        maxItems: MOST_REMINDERS,
        uniqueItems: true,
      }),
    ),
    quietHours: Type.Optional(Type.Boolean()),
    receipt: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, description: 'When the link is sent, and what else.' },
);

export type Delivery = Static<typeof DeliverySchema>;

/** The messages to the payer of a payment request, decided at its creation. */
export interface MessagePlan {
  /** `delivery.receipt`, or the merchant's setting. */
  readonly receipt: boolean;
  /** Hours before the expiry. */
  readonly reminders: readonly number[];
  readonly quietHours: boolean;
  /** The template of its e-mails; null: the texts of the deployment. */
  readonly templateId: string | null;
}

/** The plan of a payment request whose payer gets the link only when a call asks for it. */
export const LINK_ALONE = { receipt: false, reminders: [], quietHours: true } as const;

interface PlannedFields {
  readonly deliveryMode: string | null;
  readonly delivery: Delivery | null;
  readonly emailTemplateId: string | null;
}

/**
 * The merchant's settings stand for what the payment request leaves out.
 *
 * @returns null: the payer is sent nothing in any case, so that nothing is looked up
 */
export function planMessages(
  { deliveryMode, delivery, emailTemplateId }: PlannedFields,
  settings: MessageSettings,
): MessagePlan | null {
  const { receipt, reminders, quietHours } = { ...settings, ...delivery };
  const channel = channelOf(deliveryMode);
  if (channel === null && !receipt) return null;
  // On other channels it is a text of the merchant's own.
  const named = channel === 'EMAIL' ? emailTemplateId : null;
  return { receipt, reminders, quietHours, templateId: named ?? settings.templateId };
}

/** The channel of a delivery mode; null: NONE. */
export function channelOf(deliveryMode: string | null): Channel | null {
  return CHANNELS.find((channel) => channel === deliveryMode) ?? null;
}

/** When the link is due to be sent. */
export function sendingAt(delivery: Delivery | null, now: Date): Date {
  const asked = parseInstant(delivery?.sendDateTime ?? '');
  return asked && asked > now ? asked : now;
}

/** Finds a `sendDateTime` that is no instant, or lies outside of its range. */
export function sendDateTimeFaults(
  delivery: Delivery | null | undefined,
  now: Date,
  expiresAt: Date,
): FieldFault[] {
  const text = delivery?.sendDateTime;
  if (typeof text !== 'string') return [];
  const field = 'delivery.sendDateTime';
  const at = parseInstant(text);
  if (!at) return [{ field, code: 'INVALID_FORMAT', message: `Give ${field} ${INSTANT_FORM}.` }];
  if (now.getTime() - at.getTime() > MOST_IN_THE_PAST_MS) {
    return [{ field, code: 'TOO_LOW', message: `Give ${field} at most 5 minutes ago.` }];
  }
  return isTooLate(at, expiresAt)
    ? [{ field, code: 'TOO_HIGH', message: `Give ${field} at least 1 hour before the expiry.` }]
    : [];
}

/** Finds a new expiry that comes before the sending, or too soon after it. */
export function expiryBeforeSendingFaults(
  delivery: Delivery | null,
  expiresAt: Date,
): FieldFault[] {
  const at = parseInstant(delivery?.sendDateTime ?? '');
  if (!at || !isTooLate(at, expiresAt)) return [];
  const message = 'Give expiryDateTime at least 1 hour after delivery.sendDateTime.';
  return [{ field: 'expiryDateTime', code: 'TOO_LOW', message }];
}

function isTooLate(at: Date, expiresAt: Date): boolean {
  return expiresAt.getTime() - at.getTime() < LEAST_BEFORE_EXPIRY_MS;
}
