import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { defineTool } from '#commands/cli/define-command.ts';
import { argument, option } from '#commands/cli/inputs.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { type Deployment, openDeployment } from '#commands/cli/with-deployment.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestMembers } from '#payment-requests/model/render-json.ts';
import { readTimeline, type TimelineEntry } from '#payment-requests/timeline/read-timeline.ts';
import { timelineEntryMembers } from '#payment-requests/timeline/render-json.ts';
import { warnOfName } from '#sandbox/create-sandbox-creation-hooks.ts';
import { formatList, formatPaymentRequest } from './format-text.ts';
import { MOST_SHOWN, searchByAnyValue } from './search.ts';

/** Entries of a page of the timeline, as the API's largest page. */
const PAGE = 100;
/** More than a payment request gathers: notes are counted, and attempts end after days. */
const MOST_ENTRIES = 1_000;

/** A person types a value; after this a forgotten terminal lets go. */
const LONGEST_WAIT_MS = 10 * 60_000;

/** `payreq request show`: a payment request by any value that somebody reads out. */
export const show = defineTool({
  summary:
    'print a payment request of any merchant with its timeline, payer’s data included; several ' +
    'with one value are listed',
  options: {
    value: argument(
      'an id, a short code or payment link, any reference (also of a refund, movement, webhook ' +
        'or case), an invoice number, a customer number (merchantAccountId), an e-mail address, ' +
        'a phone number, or an amount such as 249.90; - reads it from standard input, so that no ' +
        'value of a payer stays in the history of the shell',
    ),
    day: option('<date>', 'only those created or paid on this day in TIME_ZONE, as in 2026-03-01'),
  },
  async run({ value, day }, shell) {
    const searched = value === '-' ? await readLine(shell) : value;
    return openDeployment(shell, async (deployment) => {
      const { paymentRequests, hasMore } = await searchByAnyValue(deployment, searched, day);
      const found: { p: PaymentRequest; timeline: readonly TimelineEntry[] }[] = [];
      for (const p of paymentRequests) found.push({ p, timeline: await timelineOf(deployment, p) });
      return { found, hasMore, deployment };
    });
  },
  json: ({ found, hasMore, deployment }) => ({
    paymentRequests: found.map(({ p, timeline }) => ({
      ...paymentRequestMembers(p, deployment),
      timeline: timeline.map(timelineEntryMembers),
    })),
    hasMore,
  }),
  print({ found, hasMore, deployment }) {
    const [first] = found;
    if (first && found.length === 1) {
      return formatPaymentRequest(first.p, first.timeline, deployment);
    }
    return [
      ...formatList(
        found.map(({ p }) => p),
        deployment,
      ),
      '',
      ...(hasMore
        ? [`These are the best and newest ${MOST_SHOWN}; others have this value, too: try --day.`]
        : []),
      'See one of them: payreq request show <id>',
    ];
  },
});

/** The first line; empty where none comes. */
async function readLine({ stdin }: Invocation): Promise<string> {
  const lines = createInterface({ input: stdin });
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const first = Promise.race([once(lines, 'line', { signal }), once(lines, 'close', { signal })]);
  const [line = ''] = await first.catch(() => []);
  lines.close();
  return line;
}

async function timelineOf(deployment: Deployment, p: PaymentRequest): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  const isSandbox = deployment.environment === 'sandbox';
  let cursor: string | null = null;
  do {
    const query = { limit: PAGE, ...(cursor && { cursor }) };
    const deps = { ...deployment, ...(isSandbox && { warningOf: warnOfName }) };
    const page: Awaited<ReturnType<typeof readTimeline>> = await readTimeline(
      deps,
      p.merchant.id,
      p.id,
      query,
      [],
    );
    entries.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null && entries.length < MOST_ENTRIES);
  return entries;
}
