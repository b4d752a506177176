import type { MedusaContainer, PaymentSessionDTO } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import type { ReadWebhook } from './read-webhook.ts';
import { standingOf } from './statuses.ts';

/**
 * Does what a verified webhook asks for. A PAID payment request captures its session and completes
 * the cart; one that ended unpaid ends its session. Events that change no session become events of
 * Medusa: `payment-requests.payment-returned`, `payment-requests.refund-failed` and so on.
 *
 * @throws when the work did not end, so that the service sends the webhook again
 */
export async function followWebhook(
  container: MedusaContainer,
  { action, data, event }: ReadWebhook,
): Promise<void> {
  if (event.test) return;
  if (action === 'not_supported') return passOn(container, event);
  const session = await findSession(container, data.session_id);
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
  if (session?.data?.id !== event.resource.id) {
    // Another system of the merchant has its payment requests too.
    logger.warn(`payment-requests: ${event.resource.id} is of no payment session here.`);
    return;
  }
  if (action === 'captured') {
    await processPaymentWorkflow(container).run({ input: { action, data } });
    const paid = await findSession(container, session.id);
    if (!paid?.payment) throw new Error(`The session ${session.id} was not captured.`);
  } else if (!session.payment) {
    await endSession(container, session, event);
  }
}

async function findSession(
  container: MedusaContainer,
  id: string,
): Promise<PaymentSessionDTO | undefined> {
  if (id === '') return undefined;
  const payments = container.resolve(Modules.PAYMENT);
  const [session] = await payments.listPaymentSessions({ id: [id] }, { relations: ['payment'] });
  return session;
}

async function endSession(
  container: MedusaContainer,
  { id, amount, currency_code, data }: PaymentSessionDTO,
  { resource }: ReadWebhook['event'],
): Promise<void> {
  await container.resolve(Modules.PAYMENT).updatePaymentSession({
    id,
    amount,
    currency_code,
    data,
    status: standingOf(resource.status).session,
  });
}

function passOn(container: MedusaContainer, event: ReadWebhook['event']): Promise<void> {
  const name = `payment-requests.${event.eventType.toLowerCase()}`;
  return container.resolve(Modules.EVENT_BUS).emit({ name, data: event });
}
