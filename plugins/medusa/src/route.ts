import type { MedusaRequest, MedusaResponse } from '@medusajs/framework/http';
import { ContainerRegistrationKeys, Modules } from '@medusajs/framework/utils';
import { followWebhook } from './follow-webhook.ts';
import { IDENTIFIER } from './identifier.ts';
import type { ReadWebhook } from './read-webhook.ts';

/**
 * `POST /hooks/payment-requests/{id}`, the webhook endpoint of the provider with that id. Medusa's
 * own `/hooks/payment/…` answers before it has worked, so that a crash loses the event, and it
 * ignores what ended unpaid. This one answers 2xx after the work: the service repeats the rest.
 */
export async function POST(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const logger = req.scope.resolve(ContainerRegistrationKeys.LOGGER);
  const provider = `pp_${IDENTIFIER}_${req.params.id}`;
  try {
    const [known] = await req.scope
      .resolve(Modules.PAYMENT)
      .listPaymentProviders({ id: [provider] });
    if (!known) return end(res, 404, `There is no provider ${provider}.`);
    const read = await req.scope.resolve(Modules.PAYMENT).getWebhookActionAndData({
      provider,
      payload: {
        data: req.body as Record<string, unknown>,
        rawData: req.rawBody as Buffer,
        headers: req.headers,
      },
    });
    await followWebhook(req.scope, read as ReadWebhook);
    res.sendStatus(204);
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'WebhookVerificationError') return end(res, 401, message);
    logger.error(`payment-requests: a webhook was not followed: ${message}`);
    end(res, 500, 'The webhook was not followed. It is in the log.');
  }
}

function end(res: MedusaResponse, status: number, message: string): void {
  res.status(status).json({ message });
}
