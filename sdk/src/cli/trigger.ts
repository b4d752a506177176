import { amountToCents } from '../amounts.ts';
import { environmentOf } from '../errors/credential-environment.ts';
import { withoutControls } from './align-columns.ts';
import { type FeedEvent, followFeed } from './follow-feed.ts';
import { ACCESS_INPUTS, readAccess } from './merchant-access.ts';
import { createMerchantApi, describeProblem, type MerchantApi } from './merchant-api.ts';
import { describedOutcomes, readOutcome } from './outcomes.ts';
import {
  defineTool,
  flag,
  InputFault,
  option,
  ToolFault,
  type ToolInput,
  type ToolResult,
} from './tool.ts';
import { type SentWebhook, waitForWebhooks } from './wait-for-webhooks.ts';

/** The longest outcome without a number takes 20 s. */
const DEFAULT_TIMEOUT_SECONDS = 60;

const outcomeName: ToolInput<string> = {
  placeholder: '<outcome>',
  summary: 'a payer name of the simulator',
  isArgument: true,
  read: readOutcome,
};
const amount: ToolInput<string> = {
  placeholder: '<amount>',
  summary: 'the requested amount',
  read: readAmount,
  usual: '10.00',
};
const timeout: ToolInput<number> = {
  placeholder: '<seconds>',
  summary: 'the longest wait',
  read: readSeconds,
  usual: DEFAULT_TIMEOUT_SECONDS,
};

/** Makes something happen in a sandbox, and waits until its webhook was taken. */
export const trigger = defineTool({
  name: 'trigger',
  summary: 'create a sandbox payment request with this outcome, and wait for its webhook',
  inputs: {
    outcome: outcomeName,
    amount,
    webhookUrl: option('<url>', 'the payment request’s own webhookUrl'),
    timeout,
    json: flag('print one JSON document instead of text'),
    ...ACCESS_INPUTS,
  },
  more: () => `\nOutcomes:\n${describedOutcomes()}`,
  async run(options) {
    const { outcome } = options;
    const access = await readAccess(options);
    if (environmentOf(access.username) === 'production') {
      throw new ToolFault('These are credentials of production, which has no simulator.');
    }
    const signal = AbortSignal.timeout(options.timeout * 1000);
    const api = createMerchantApi(access, signal);
    // Before the creation, so that no event is missed however soon it comes.
    const place = await api.call('GET', '/events?after=latest');
    if (place.status !== 200) throw new ToolFault(`The feed answered ${describeProblem(place)}`);
    const created = await create(api, options);
    if ('lines' in created) return created;
    const events = await waitForEvents(api, {
      after: place.json.nextCursor,
      paymentRequestId: created.id,
      count: eventsOf(outcome),
      signal,
    });
    if (events.length < eventsOf(outcome)) {
      throw new ToolFault(
        `${created.id} had ${events.length} of ${eventsOf(outcome)} events within ` +
          `${options.timeout} s. Does a process with the background role run?`,
      );
    }
    // Also when the time is over it is told how they stand: these calls have a time of their own.
    const webhooks = await waitForWebhooks(createMerchantApi(access), created.id, signal);
    return {
      value: {
        paymentRequestId: created.id,
        events: events.map(({ body: _, ...event }) => event),
        webhooks,
      },
      lines: [
        ...events.map(
          ({ eventType, resource, id }) =>
            `${eventType}  ${resource.status}  ${resource.id}  (${id})`,
        ),
        ...webhooksInWords(webhooks, outcome),
      ].map(withoutControls),
      isOk: webhooks === null || isDelivered(webhooks, outcome),
    };
  },
});

/** The outcome that makes an event without a webhook (contract §8). */
const WITHOUT_WEBHOOK = 'depositNoWebhook';

function isDelivered(webhooks: readonly SentWebhook[], outcome: string): boolean {
  if (webhooks.length === 0) return outcome === WITHOUT_WEBHOOK;
  return webhooks.every(({ status }) => status === 'SUCCEEDED');
}

const NO_ADDRESS =
  'No webhook is sent: the payment request has no webhookUrl, and no endpoint takes the event. ' +
  'Give --webhook-url, or register an endpoint.';

function webhooksInWords(webhooks: readonly SentWebhook[] | null, outcome: string): string[] {
  if (webhooks === null) return ['These credentials may not look at webhooks (webhook/manage).'];
  if (webhooks.length === 0) {
    return [
      outcome === WITHOUT_WEBHOOK ? `No webhook is sent: ${outcome} asks for none.` : NO_ADDRESS,
    ];
  }
  return webhooks.map(({ status, url, attempts, outcome, httpStatus }) => {
    const last = outcome ? `, the last: ${[outcome, httpStatus].filter(Boolean).join(' ')}` : '';
    return `webhook  ${status}  ${url}  (attempts: ${attempts}${last})`;
  });
}

interface Asked {
  readonly outcome: string;
  readonly amount: string;
  readonly webhookUrl: string | null;
}

/** @returns the payment request; or, where the outcome is a refused creation, the refusal */
async function create(
  api: MerchantApi,
  { outcome, amount, webhookUrl }: Asked,
): Promise<{ readonly id: string } | ToolResult> {
  const answer = await api.call('POST', '/payment-requests', {
    amount: Number(amount),
    type: 'ECOMM',
    payer: { name: outcome, email: 'payer@example.com' },
    ...(webhookUrl && { webhookUrl }),
  });
  if (answer.status === 201) return answer.json;
  if (!outcome.startsWith('createError')) {
    throw new ToolFault(`The creation answered ${describeProblem(answer)}`);
  }
  const { status, json } = answer;
  return { value: { status, answer: json }, lines: [describeProblem(answer)], isOk: true };
}

interface Expected {
  readonly after: string;
  readonly paymentRequestId: string;
  readonly count: number;
  readonly signal: AbortSignal;
}

async function waitForEvents(
  api: MerchantApi,
  { after, paymentRequestId, count, signal }: Expected,
): Promise<FeedEvent[]> {
  const found: FeedEvent[] = [];
  const following = followFeed(api, { after, eventTypes: null, signal, onTrouble() {} });
  for await (const { events } of following) {
    found.push(...events.filter(({ resource }) => resource.id === paymentRequestId));
    if (found.length >= count) break;
  }
  return found;
}

function eventsOf(outcome: string): number {
  return outcome === 'depositLate' ? 2 : 1;
}

function readAmount(text: string): string {
  try {
    amountToCents(text);
    return text;
  } catch {
    throw new InputFault('Give an amount, as in 10.00.');
  }
}

function readSeconds(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 7_200) return value;
  throw new InputFault('Give seconds, from 1 to 7200.');
}
