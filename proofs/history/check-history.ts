import type { Books } from './books.ts';
import { checkAnswers, checkReads } from './checks/check-answers.ts';
import { checkAudit } from './checks/check-audit.ts';
import { checkConsole } from './checks/check-console.ts';
import { checkCreated, checkRefundCalls, checkTimes } from './checks/check-created.ts';
import { checkOutbox, checkReceived } from './checks/check-events.ts';
import { checkLists } from './checks/check-lists.ts';
import { checkMoney } from './checks/check-money.ts';
import { createFindings, type FindingLists, type Findings } from './checks/findings.ts';
import { callsOf, matchCalls } from './checks/match-calls.ts';
import type { HistoryLine } from './history-line.ts';

export interface Verdict extends FindingLists {
  /** How often the nemesis did each fault. */
  readonly faults: Readonly<Record<string, number>>;
  /** Calls by name and outcome, as in `create ok`. */
  readonly calls: Readonly<Record<string, number>>;
  /** Webhooks that arrived, with the repeats. */
  readonly received: number;
}

/** Payers of the sandbox that leave no payment request open (contract §8). */
const IS_DECIDED = /^deposit/;
const OPEN_STATUSES = ['CREATED', 'PROCESSING'];

/**
 * Compares the acknowledged answers with the books and with the received webhooks. The function is
 * pure: a history and its books always give one verdict.
 */
export function checkHistory(lines: readonly HistoryLine[], books: Books): Verdict {
  const findings = createFindings();
  const calls = matchCalls(lines);
  checkAnswers(calls, findings);
  checkReads(lines, books, findings);
  checkCreated(calls, books, findings);
  checkRefundCalls(calls, books, findings);
  checkTimes(lines, books, findings);
  checkOutbox(books, findings);
  checkReceived(lines, books, findings);
  checkLists(calls, books, findings);
  checkMoney(books, findings);
  checkConsole(lines, books, findings);
  checkAudit(calls, books, findings);
  checkBacklog(lines, books, findings);
  return {
    ...findings.lists,
    faults: countBy(lines.flatMap((line) => (line.kind === 'fault' ? [line.fault] : []))),
    calls: countBy(
      calls.map(({ sent, answered }) => `${sent.asked.name} ${answered?.outcome ?? 'unknown'}`),
    ),
    received: lines.filter(({ kind }) => kind === 'received').length,
  };
}

function checkBacklog(lines: readonly HistoryLine[], books: Books, findings: Findings): void {
  const calls = matchCalls(lines);
  const creates = [...callsOf(calls, 'create'), ...callsOf(calls, 'console-create')];
  const payers = new Map(
    creates.map(({ sent }) => [sent.asked.transactionId, sent.asked.payerName]),
  );
  for (const { id, transactionId, status } of books.paymentRequests) {
    const payer = payers.get(transactionId ?? '') ?? '';
    if (!IS_DECIDED.test(payer) || !OPEN_STATUSES.includes(status)) continue;
    findings.add('backlog', `payment request ${id} of ${payer} is ${status}`);
  }
  for (const { id, status } of books.refunds) {
    if (OPEN_STATUSES.includes(status)) findings.add('backlog', `refund ${id} is ${status}`);
  }
  for (const [work, count] of Object.entries(books.open)) {
    if (count > 0) findings.add('backlog', `${count} ${work} are left`);
  }
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
