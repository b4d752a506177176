import type { MedusaContainer, PaymentSessionDTO } from '@medusajs/framework/types';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { processPaymentWorkflow } from '@medusajs/medusa/core-flows';
import type { PaymentRequest } from '@payment-requests/sdk';
import type { ReadWebhook } from './read-webhook.ts';
import { standingOf } from './statuses.ts';

/**
 * Does what a verified webhook asks for. A PAID payment request captures its session and completes
 * the cart; one that ended unpaid ends its session. The rest becomes events of Medusa:
 * `payment-requests.payment-unmatched` for money without a session, and
 * `payment-requests.payment-returned`, `payment-requests.refund-failed` and so on.
 *
 * @throws when the work did not end, so that the service sends the webhook again
 */
export async function followWebhook(
  container: MedusaContainer,
  { action, data, event }: ReadWebhook,
): Promise<void> {
  if (event.test) return;
  if (action === 'not_supported') return emit(container, event.eventType.toLowerCase(), event);
  const { resource } = event;
  const isPaid = action === 'captured';
  if (isPaid && (await isSettled(container, data.session_id, resource.id))) return;
  const session = await findSession(container, data.session_id);
  if (session && session.data?.merchantTransactionId !== session.id) {
    throw new Error(`The session ${session.id} has not stored its payment request yet.`);
  }
  if (session?.data?.id !== resource.id) {
    // Another system of the merchant has its payment requests too.
    const logger = container.resolve(ContainerRegistrationKeys.LOGGER);
    logger.warn(`payment-requests: ${resource.id} is of no payment session here.`);
    return isPaid ? emit(container, 'payment-unmatched', unmatched(resource)) : undefined;
  }
  if (!isPaid) return session.payment ? undefined : endSession(container, session, event);
  await processPaymentWorkflow(container).run({ input: { action, data } });
  if (!(await isSettled(container, session.id, resource.id))) {
    throw new Error(`The session ${session.id} is PAID, and its cart is no order yet.`);
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

/** The payment was captured, and its cart is an order, or Medusa has given the money back. */
async function isSettled(
  container: MedusaContainer,
  sessionId: string,
  requestId: string,
): Promise<boolean> {
  if (sessionId === '') return false;
  const query = container.resolve(ContainerRegistrationKeys.QUERY);
  const first = async (entity: string, fields: string[], filters: Record<string, unknown>) =>
    (await query.graph({ entity, fields, filters })).data[0];
  const fields = ['captured_at', 'data', 'payment_collection_id', 'refunds.id'];
  const payment = await first('payment', fields, { payment_session_id: sessionId });
  if (!payment?.captured_at || payment.data?.id !== requestId) return false;
  if (payment.refunds?.length > 0) return true;
  const { payment_collection_id } = payment;
  const cart = await first('cart_payment_collection', ['cart_id'], { payment_collection_id });
  if (!cart) return true;
  return Boolean(await first('order_cart', ['order_id'], { cart_id: cart.cart_id }));
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

function unmatched(resource: ReadWebhook['event']['resource']) {
  const { id, amount, currency } = resource;
  const { merchantTransactionId } = resource as PaymentRequest;
  return { id, amount, currency, merchantTransactionId };
}

function emit(container: MedusaContainer, name: string, data: object): Promise<void> {
  return container.resolve(Modules.EVENT_BUS).emit({ name: `payment-requests.${name}`, data });
}
