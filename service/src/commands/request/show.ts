import { Command } from 'commander';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { type Deployment, withDeployment } from '#commands/cli/with-deployment.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { paymentRequestMembers } from '#payment-requests/model/render-json.ts';
import { readTimeline, type TimelineEntry } from '#payment-requests/timeline/read-timeline.ts';
import { timelineEntryMembers } from '#payment-requests/timeline/render-json.ts';
import { warnOfName } from '#sandbox/create-sandbox-creation-hooks.ts';
import { listInWords, paymentRequestInWords } from './in-words.ts';
import { MOST_SHOWN, REFERENCE, search } from './search.ts';

/** Entries of a page of the timeline, as the API's largest page. */
const PAGE = 100;
/** More than a payment request gathers: notes are counted, and attempts end after days. */
const MOST_ENTRIES = 1_000;

/** `payreq request show`: a payment request by any reference that somebody reads out. */
export function requestShowCommand(invocation: Invocation): Command {
  return new Command('show')
    .description(
      'print a payment request of any merchant with its timeline, payer’s data included; several ' +
        'with one merchantTransactionId are listed',
    )
    .argument(...REFERENCE)
    .addOption(jsonOption())
    .action(async (reference: string, options: { json?: boolean }, command: Command) => {
      const { value, lines } = await withDeployment(invocation, command, (deployment) =>
        show(deployment, reference),
      );
      printResult(invocation, options, value, lines);
    });
}

async function show(deployment: Deployment, reference: string) {
  const { paymentRequests, hasMore } = await search(deployment, reference);
  const shown: { p: PaymentRequest; timeline: readonly TimelineEntry[] }[] = [];
  for (const p of paymentRequests) shown.push({ p, timeline: await timelineOf(deployment, p) });
  const value = {
    paymentRequests: shown.map(({ p, timeline }) => ({
      ...paymentRequestMembers(p, deployment),
      timeline: timeline.map(timelineEntryMembers),
    })),
    hasMore,
  };
  const [first] = shown;
  if (first && shown.length === 1) {
    return { value, lines: paymentRequestInWords(first.p, first.timeline, deployment) };
  }
  const lines = [
    ...listInWords(paymentRequests, deployment),
    '',
    ...(hasMore
      ? [`These are the newest ${MOST_SHOWN}; older ones have this reference, too.`]
      : []),
    'See one of them: payreq request show <id>',
  ];
  return { value, lines };
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
