import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  BigNumberInput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, MathBN } from '@medusajs/framework/utils';
import {
  amountToCents,
  type Client,
  centsToAmount,
  NoAnswerError,
  type Payer,
  type PaymentRequest,
  ProblemError,
} from '@payment-requests/sdk';
import { IDENTIFIER } from './identifier.ts';
import { clientOf, type ProviderOptions } from './options.ts';
import { type ReadWebhook, readWebhook } from './read-webhook.ts';
import { notAllowed, refusalOf } from './refusals.ts';
import { standingOf } from './statuses.ts';

const MINUTE_MS = 60_000;

type Data = Record<string, unknown>;

/**
 * A payment request for each payment session. The session's id is its `merchantTransactionId` and
 * its idempotency key: a repeated call makes no second link. Only what the service answers captures
 * a payment; a webhook is the sign to ask.
 */
export class PaymentRequestsProvider extends AbstractPaymentProvider<ProviderOptions> {
  static override identifier = IDENTIFIER;
  readonly #client: Client;

  static override validateOptions(options: ProviderOptions): void {
    clientOf(options);
  }

  constructor(container: Record<string, unknown>, options: ProviderOptions) {
    super(container, options);
    this.#client = clientOf(options);
  }

  /** `data.payer` comes from the checkout page; the customer of the cart fills what it lacks. */
  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const { amount, currency_code, data = {}, context } = input;
    const { displayMessage, expiresAfterMinutes: minutes } = this.config;
    const sessionId = `${data.session_id}`;
    const request = await this.#ask('The payment request was not created', () =>
      this.#client.createPaymentRequest(
        {
          amount: decimals(amount),
          currency: currency_code.toUpperCase(),
          payer: payerOf(data, context),
          merchantTransactionId: sessionId,
          ...(displayMessage && { displayMessage }),
          ...(typeof data.returnUrl === 'string' && { returnUrl: data.returnUrl }),
          ...(minutes && { expiryDateTime: new Date(Date.now() + minutes * MINUTE_MS) }),
        },
        { idempotencyKey: context?.idempotency_key ?? sessionId },
      ),
    );
    return { id: request.id, status: 'pending', data: dataOf(request) };
  }

  /** Captured when the service says PAID, of this session. */
  async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const request = await this.#read(input.data);
    const sessionId = input.context?.idempotency_key;
    if (sessionId && request.merchantTransactionId !== sessionId) {
      throw notAllowed(`The payment request ${request.id} is of another payment session.`);
    }
    return standingAndData(input.data, request);
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return standingAndData(data, await this.#read(data));
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return standingAndData(data, await this.#read(data));
  }

  /** The amount of a link is fixed: another amount is another session. */
  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const request = await this.#read(input.data);
    const isOther =
      amountToCents(decimals(input.amount)) !== amountToCents(request.amount) ||
      input.currency_code.toUpperCase() !== request.currency;
    if (isOther) throw notAllowed('The amount of a link is fixed. Create a new payment session.');
    return standingAndData(input.data, request);
  }

  /** PAID is already captured. */
  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const request = await this.#read(data);
    if (request.status === 'PAID') return standingAndData(data, request);
    throw notAllowed(`The payment request ${request.id} is ${request.status}, not PAID.`);
  }

  /** Ends the link. Money that has arrived goes back by a refund alone, so it is refused then. */
  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return this.#end(data);
  }

  /** Ends the link, too: a session whose payer is at the bank stays, and its money finds it. */
  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return this.#end(data);
  }

  /** The refund's id in Medusa is the `merchantRefundId`: it is ordered once. */
  async refundPayment(input: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const { data = {}, amount, context } = input;
    const merchantRefundId = context?.idempotency_key;
    if (!merchantRefundId) throw notAllowed('The refund has no id.');
    const refund = await this.#ask('The refund was not made', () =>
      this.#client
        .createRefund(
          idOf(data),
          { amount: decimals(amount), merchantRefundId },
          { idempotencyKey: merchantRefundId },
        )
        .catch((error) => Promise.reject(unknownFate(error, data))),
    );
    const refunds = Array.isArray(data.refunds) ? data.refunds : [];
    const { id, status } = refund;
    return { data: { ...data, refunds: [...refunds, { id, merchantRefundId, status }] } };
  }

  getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<ReadWebhook> {
    return readWebhook(payload, this.config.listener);
  }

  async #end(data: Data = {}): Promise<{ data: Data }> {
    // A session that never got its payment request.
    if (typeof data.id !== 'string') return { data };
    const id = data.id;
    return this.#ask('The link was not ended', async () => {
      try {
        const request = await this.#client.cancelPaymentRequest(id);
        return standingAndData(data, request);
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        const request = await this.#client.getPaymentRequest(id);
        if (UNPAID.includes(request.status)) return standingAndData(data, request);
        throw notAllowed(
          `The payment request ${id} is ${request.status}: its money is on its way.`,
        );
      }
    });
  }

  #read(data: Data | undefined): Promise<PaymentRequest> {
    return this.#ask('The payment request was not read', () =>
      this.#client.getPaymentRequest(idOf(data)),
    );
  }

  async #ask<Result>(failure: string, call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      throw refusalOf(error, failure);
    }
  }
}

const UNPAID: readonly string[] = ['FAILED', 'EXPIRED', 'CANCELLED'];

function idOf(data: Data | undefined): string {
  if (typeof data?.id === 'string') return data.id;
  throw notAllowed('The payment session has no payment request.');
}

/** Medusa counts in decimals of any length; the service refuses more than two. */
function decimals(amount: BigNumberInput): string {
  return centsToAmount(amountToCents(MathBN.convert(amount).toFixed()));
}

function payerOf(data: Data, context: InitiatePaymentInput['context']): Payer {
  const { first_name, last_name, company_name, email } = context?.customer ?? {};
  const name = [first_name, last_name].filter(Boolean).join(' ') || company_name;
  const given = typeof data.payer === 'object' ? data.payer : {};
  return { ...(name && { name }), ...(email && { email }), ...given } as Payer;
}

/** The part of an answer that Medusa keeps, and shows to the checkout page. */
function dataOf(request: PaymentRequest): Data {
  const { id, paymentLink, status, amount, currency, expiryDateTime } = request;
  return { id, paymentLink, status, amount, currency, expiryDateTime };
}

function standingAndData(data: Data | undefined, request: PaymentRequest) {
  const { session } = standingOf(request.status);
  return { status: session, data: { ...data, ...dataOf(request) } };
}

/** Medusa forgets a refund that failed: a person who repeats it must look first. */
function unknownFate(error: unknown, data: Data): unknown {
  if (!(error instanceof NoAnswerError)) return error;
  return notAllowed(
    `It is not known whether the refund was made. Look at the payment request ${data.id} before ` +
      'you refund again.',
  );
}
