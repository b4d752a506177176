import { Command, InvalidArgumentError } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { withoutMark } from '#lib/cells/cell-mark.ts';
import { parseAmountCents } from '#lib/money.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { OUTCOME_DESCRIPTIONS } from '#sandbox/outcome-descriptions.ts';
import { planSimulation } from '#sandbox/outcomes.ts';
import { type FeedEvent, followFeed } from './follow-feed.ts';
import { type AccessOptions, addAccessOptions, readAccess } from './merchant-access.ts';
import { createMerchantApi, describeProblem, type MerchantApi } from './merchant-api.ts';
import { type SentWebhook, waitForWebhooks } from './wait-for-webhooks.ts';

/** The longest outcome without a number takes 20 s. */
const DEFAULT_TIMEOUT_SECONDS = 60;

interface TriggerOptions extends AccessOptions {
  readonly amount: string;
  readonly webhookUrl?: string;
  readonly timeout: number;
  readonly json?: boolean;
}

/** `payreq trigger`: makes something happen in a sandbox, and waits until its webhook was taken. */
export function triggerCommand(invocation: Invocation): Command {
  const command = new Command('trigger')
    .description('create a sandbox payment request with this outcome, and wait for its webhook')
    .argument('<outcome>', 'a payer name of the simulator', outcomeName)
    .option('--amount <amount>', 'the requested amount', amountText, '10.00')
    .option('--webhook-url <url>', 'the payment request’s own webhookUrl')
    .option('--timeout <seconds>', 'the longest wait', seconds, DEFAULT_TIMEOUT_SECONDS)
    .addOption(jsonOption());
  return addAccessOptions(command, invocation)
    .addHelpText('after', `\nOutcomes:\n${describedOutcomes()}`)
    .action((outcome: string, options: TriggerOptions) => trigger(invocation, outcome, options));
}

async function trigger(
  invocation: Invocation,
  outcome: string,
  options: TriggerOptions,
): Promise<void> {
  const access = await readAccess(options);
  if (withoutMark(access.username).startsWith('prd_')) {
    throw new OperatorFault('These are credentials of production, which has no simulator.');
  }
  const signal = AbortSignal.timeout(options.timeout * 1000);
  const api = createMerchantApi(access, signal);
  // Before the creation, so that no event is missed however soon it comes.
  const place = await api.call('GET', '/events?after=latest');
  if (place.status !== 200) throw new OperatorFault(`The feed answered ${describeProblem(place)}`);
  const created = await create(invocation, api, outcome, options);
  if (created === null) return;
  const events = await waitForEvents(api, {
    after: place.json.nextCursor,
    paymentRequestId: created.id,
    count: eventsOf(outcome),
    signal,
  });
  if (events.length < eventsOf(outcome)) {
    throw new OperatorFault(
      `${created.id} had ${events.length} of ${eventsOf(outcome)} events within ` +
        `${options.timeout} s. Does a process with the background role run?`,
    );
  }
  // Also when the time is over it is told how they stand: these calls have a time of their own.
  const webhooks = await waitForWebhooks(createMerchantApi(access), created.id, signal);
  printResult(
    invocation,
    options,
    {
      paymentRequestId: created.id,
      events: events.map(({ body: _, ...event }) => event),
      webhooks,
    },
    [
      ...events.map(
        ({ eventType, resource, id }) =>
          `${eventType}  ${resource.status}  ${resource.id}  (${id})`,
      ),
      ...webhooksInWords(webhooks, outcome),
    ],
  );
  if (webhooks && !isDelivered(webhooks, outcome)) invocation.fail();
}

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

/** null where the outcome is a refused creation: that was told. */
async function create(
  invocation: Invocation,
  api: MerchantApi,
  outcome: string,
  options: TriggerOptions,
): Promise<{ readonly id: string } | null> {
  const answer = await api.call('POST', '/payment-requests', {
    amount: Number(options.amount),
    type: 'ECOMM',
    payer: { name: outcome, email: 'payer@example.com' },
    ...(options.webhookUrl && { webhookUrl: options.webhookUrl }),
  });
  if (answer.status === 201) return answer.json;
  if (!outcome.startsWith('createError')) {
    throw new OperatorFault(`The creation answered ${describeProblem(answer)}`);
  }
  const { status, json } = answer;
  printResult(invocation, options, { status, answer: json }, [describeProblem(answer)]);
  return null;
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

function outcomeName(text: string): string {
  const { kind, ...told } = planSimulation(text);
  if (kind === 'STEPS' || kind === 'PROBLEM') return text;
  const known = OUTCOME_DESCRIPTIONS.map(([name]) => name).join(', ');
  throw new InvalidArgumentError('message' in told ? told.message : `Give one of ${known}.`);
}

function describedOutcomes(): string {
  return OUTCOME_DESCRIPTIONS.map(([name, effect]) => `  ${name.padEnd(22)} ${effect}`).join('\n');
}

function amountText(text: string): string {
  if (typeof parseAmountCents(text, Number.MAX_SAFE_INTEGER) === 'number') return text;
  throw new InvalidArgumentError('Give an amount, as in 10.00.');
}

function seconds(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 7_200) return value;
  throw new InvalidArgumentError('Give seconds, from 1 to 7200.');
}
