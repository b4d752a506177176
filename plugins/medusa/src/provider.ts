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
  type NewPaymentRequest,
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
type Asked = Pick<NewPaymentRequest, 'amount' | 'currency'>;

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
    const request = await this.#ask('The payment request was not created', async () => {
      // Medusa makes a session again with the data of the session that it deleted.
      if (data.id !== undefined && !isOver(await this.#own(data))) {
        throw notAllowed('`data.id` is set by the plug-in alone.');
      }
      return this.#create(
        {
          amount: decimals(amount),
          currency: currency_code.toUpperCase(),
          payer: payerOf(data, context),
          merchantTransactionId: sessionId,
          ...(displayMessage && { displayMessage }),
          ...(typeof data.returnUrl === 'string' && { returnUrl: data.returnUrl }),
          ...(minutes && { expiryDateTime: new Date(Date.now() + minutes * MINUTE_MS) }),
        },
        context?.idempotency_key ?? sessionId,
      );
    });
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
    const { data, amount, currency_code } = input;
    return this.#ask('The payment request was not compared', async () => {
      const request = await this.#client.getPaymentRequest(idOf(data));
      const asked = { amount: decimals(amount), currency: currency_code.toUpperCase() };
      if (asksFor(request, asked)) return standingAndData(data, request);
      throw notAllowed('The amount of a link is fixed. Create a new payment session.');
    });
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
    return this.#ask('The link was not ended', async () => {
      const request = await this.#own(data);
      if (!request) return { data };
      const { id } = request;
      const now = isOver(request)
        ? request
        : await this.#client.cancelPaymentRequest(id).catch((error) => {
            // It has moved since it was read.
            if (error instanceof ProblemError) return this.#client.getPaymentRequest(id);
            throw error;
          });
      if (isOver(now)) return standingAndData(data, now);
      throw notAllowed(`The payment request ${id} is ${now.status}: its money is on its way.`);
    });
  }

  /** A repeat asks for a later end: it gets the link that the first call made. */
  async #create(asked: NewPaymentRequest, idempotencyKey: string): Promise<PaymentRequest> {
    try {
      return await this.#client.createPaymentRequest(asked, { idempotencyKey });
    } catch (error) {
      if (!(isProblem(error, 'IDEMPOTENCY_KEY_REUSED') && asked.expiryDateTime)) throw error;
      const { merchantTransactionId } = asked;
      for await (const made of this.#client.listPaymentRequests({ merchantTransactionId })) {
        if (asksFor(made, asked)) return made;
      }
      throw error;
    }
  }

  /** The payment request that `data` names, unless it is gone or of another session. */
  async #own({ id, merchantTransactionId }: Data): Promise<PaymentRequest | null> {
    if (typeof id !== 'string' || typeof merchantTransactionId !== 'string') return null;
    try {
      const request = await this.#client.getPaymentRequest(id);
      return request.merchantTransactionId === merchantTransactionId ? request : null;
    } catch (error) {
      if (isProblem(error, 'PAYMENT_REQUEST_NOT_FOUND')) return null;
      throw error;
    }
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

/** It ended unpaid, or all its money went back. */
function isOver(request: PaymentRequest | null): boolean {
  if (!request) return false;
  const { status, refundSummary } = request;
  return (
    ['FAILED', 'EXPIRED', 'CANCELLED'].includes(status) || refundSummary?.amountAvailable === 0
  );
}

function isProblem(error: unknown, code: ProblemError['code']): boolean {
  return error instanceof ProblemError && error.code === code;
}

function asksFor(request: PaymentRequest, asked: Asked): boolean {
  const isSameAmount = amountToCents(request.amount) === amountToCents(asked.amount);
  return isSameAmount && request.currency === asked.currency;
}

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
  const { id, merchantTransactionId, paymentLink, status, amount, currency } = request;
  const { expiryDateTime } = request;
  return { id, merchantTransactionId, paymentLink, status, amount, currency, expiryDateTime };
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
