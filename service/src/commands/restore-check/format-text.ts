import type { ForgottenFile } from '#commands/bank/forgotten-files.ts';
import { formatAmount } from '#lib/money.ts';
import { countText } from '#lib/words/count-text.ts';
import type { Findings } from './findings.ts';

/** Lines of a finding; the JSON document has more. */
const MOST_LINES = 20;

/** The findings for a person: a heading each, and the acts that follow from it. */
export function formatFindings(findings: Findings): string[] {
  return [
    `The database ends at ${findings.endsAt.toISOString()}. Nothing later is known here.`,
    ...networkLines(findings),
    ...statementLines(findings),
    ...webhookLines(findings),
    ...refundLines(findings),
    ...fileLines(findings),
    ...accessLines(findings),
    ...requestLines(findings),
    '',
    holdLine(findings),
  ];
}

function networkLines({ network }: Findings): string[] {
  if (network === null) return [];
  const { asked, unanswered, paymentRequests, refunds } = network;
  const rows = [
    ...paymentRequests.map((each) => ['payment request', each] as const),
    ...refunds.map((each) => ['refund', each] as const),
  ].map(([kind, { id, status, network: said }]) => `  ${kind} ${id}: ${status}, network ${said}`);
  return [
    '',
    `Network: asked for ${countText(asked, 'open payment')}; ` +
      `the network knows more about ${rows.length}.`,
    ...shorten(rows),
    ...(unanswered > 0 ? [`  ${unanswered} got no answer.`] : []),
    ...(rows.length > 0 ? ['  The service asks again by itself, and takes the answers.'] : []),
  ];
}

function statementLines({ statements, endsAt }: Findings): string[] {
  if (statements === null) return [];
  const rows = statements.map(({ accountEnd, lastDay }) =>
    lastDay === null
      ? `  account …${accountEnd}: every statement`
      : `  account …${accountEnd}: from ${lastDay} on`,
  );
  return [
    '',
    `Bank: fetch these statements again, and every other file that came after ` +
      `${endsAt.toISOString()}; then payreq bank import FILE. A file counts once.`,
    ...shorten(rows),
  ];
}

function webhookLines({ webhooks: { count, data } }: Findings): string[] {
  const rows = data.map(
    ({ eventId, eventType, merchantId }) => `  ${eventId} ${eventType} ${merchantId}`,
  );
  return [
    '',
    `Webhooks: ${countText(count, 'delivery', 'deliveries')} may have arrived already, and will ` +
      'be sent again with the same ids.',
    ...shorten(rows, count),
    '  Merchants know events of later changes that do not exist any more. A cursor of such an',
    '  event is answered by 400: merchants begin without `after`, and skip the ids that they know.',
  ];
}

function refundLines({ refunds: { count, data } }: Findings): string[] {
  if (count === 0) return [];
  const rows = data.map(
    ({ id, status, amountCents }) => `  ${id} ${status} ${formatAmount(amountCents)}`,
  );
  return [
    '',
    `Refunds: ${countText(count, 'refund')} may have been given back already. A network knows ` +
      'each by its id.',
    ...shorten(rows, count),
  ];
}

function fileLines({ files, cases }: Findings): string[] {
  const open = cases.map((id) => `  payreq cases show ${id}`);
  if (files.length === 0 && open.length === 0) return [];
  return [
    '',
    `Refund files: ${countText(files.length, 'file')} left that the database does not know.`,
    ...shorten(files.flatMap(linesOf)),
    ...(open.length > 0
      ? ['  Accept a case once the bank has executed its refund, and then release:', ...open]
      : []),
  ];
}

function linesOf({ messageId, writtenAt, known, unknown }: ForgottenFile): string[] {
  return [
    `  ${messageId}, ${writtenAt}`,
    ...known.map(({ id, amountCents }) => `    ${id} ${formatAmount(amountCents)}: stays there`),
    ...unknown.map(({ id, amountCents }) => `    ${id} ${formatAmount(amountCents)}: a case`),
  ];
}

function accessLines({ audit: { head, lost } }: Findings): string[] {
  const end = head === null ? 'The audit log is empty.' : `The audit log ends at ${head}.`;
  if (lost === null) {
    return [
      '',
      `Access: ${end} Credentials, keys and destinations are as they were then: what was revoked`,
      '  later is valid again. --audit-export FILE lists these acts from an export kept outside.',
    ];
  }
  const rows = lost.data.map(
    ({ occurredAt, action, merchantId, actor }) =>
      `  ${occurredAt} ${action} ${merchantId ?? '-'} by ${actor}`,
  );
  return [
    '',
    `Access: ${end} The export has ${countText(lost.count, 'later act')}; repeat what matters.`,
    ...shorten(rows, lost.count),
  ];
}

function requestLines({ endsAt }: Findings): string[] {
  return [
    '',
    `Payment requests that were created after ${endsAt.toISOString()} do not exist any more:`,
    '  their links and ids are answered by 404. No id and no short code is given out again.',
    '  A merchant who repeats such a creation gets another payment request.',
  ];
}

function holdLine({ restore }: Findings): string {
  return restore === null
    ? 'Refunds are not held.'
    : 'REFUNDS ARE HELD. When all of this is done: payreq restore-check --release';
}

function shorten(rows: readonly string[], count = rows.length): string[] {
  const shown = rows.slice(0, MOST_LINES);
  return count > shown.length ? [...shown, `  and ${count - shown.length} more (--json)`] : shown;
}
