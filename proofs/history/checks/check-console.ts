import type { Books } from '../books.ts';
import type { HistoryLine } from '../history-line.ts';
import type { Findings } from './findings.ts';
import { type Call, callsOf, matchCalls, mayBeDone } from './match-calls.ts';

/** Checks the sessions of people, what pages show, and that webhooks are sent again. */
export function checkConsole(
  lines: readonly HistoryLine[],
  books: Books,
  findings: Findings,
): void {
  const calls = matchCalls(lines);
  checkSessions(lines, calls, findings);
  checkLinks(calls, findings);
  checkPages(calls, books, findings);
  checkRedelivered(lines, calls, books, findings);
}

/** A session lives until its sign-out, through every fault, and not longer. */
function checkSessions(
  lines: readonly HistoryLine[],
  calls: readonly Call[],
  findings: Findings,
): void {
  const byNumber = new Map(calls.map((call) => [call.sent.call, call.sent.asked]));
  const leaving = new Set<string>();
  const left = new Set<string>();
  /** Calls that were sent after their session had ended. */
  const late = new Set<number>();
  for (const line of lines) {
    if (line.kind !== 'sent' && line.kind !== 'answered') continue;
    const asked = line.kind === 'sent' ? line.asked : byNumber.get(line.call);
    if (!asked || !('person' in asked) || asked.name === 'console-sign-in') continue;
    const { name, person } = asked;
    if (line.kind === 'sent') {
      if (name === 'console-sign-out') leaving.add(person);
      else if (left.has(person)) late.add(line.call);
      continue;
    }
    const text = `call ${line.call}, a ${name} of ${person}`;
    if (line.code === 'SIGNED_OUT' && !leaving.has(person)) {
      findings.add('lost', `${text}, found no session, and nobody had signed out`);
    }
    if (line.outcome === 'ok' && name === 'console-sign-out') left.add(person);
    if (line.outcome === 'ok' && late.has(line.call)) {
      findings.add('unexpected', `${text}, was answered after the sign-out`);
    }
  }
}

/** A link signs in once, and is not used up by a refusal. */
function checkLinks(calls: readonly Call[], findings: Findings): void {
  const signedIn = new Set<string>();
  const possible = new Set<string>();
  for (const call of callsOf(calls, 'console-sign-in')) {
    const { sent, answered } = call;
    const { person } = sent.asked;
    if (answered?.outcome === 'ok' && signedIn.has(person)) {
      findings.add('unexpected', `call ${sent.call} used the link of ${person} again`);
    }
    if (answered?.code === 'HTTP 403' && !possible.has(person)) {
      findings.add('lost', `call ${sent.call} found the link of ${person} used, by nobody`);
    }
    if (answered?.outcome === 'ok') signedIn.add(person);
    if (mayBeDone(call)) possible.add(person);
  }
}

/** No page shows an id of another merchant, and none is of another merchant. */
function checkPages(calls: readonly Call[], books: Books, findings: Findings): void {
  const { paymentRequests, events, refunds, ledger } = books;
  const owners = new Map(
    [...paymentRequests, ...events, ...refunds, ...ledger].map(({ id, merchantId }) => [
      id,
      merchantId,
    ]),
  );
  for (const { merchantId } of calls.map(({ sent }) => sent)) owners.set(merchantId, merchantId);
  for (const { sent, answered } of callsOf(calls, 'console-page')) {
    const { page } = sent.asked;
    const text = `call ${sent.call}, the ${page} page of merchant ${sent.merchantId},`;
    if (page === 'stranger' && answered?.outcome === 'ok') {
      findings.add('unexpected', `${text} was shown to a person of another merchant`);
    }
    for (const id of answered?.told?.page?.ids ?? []) {
      const owner = owners.get(id) ?? sent.merchantId;
      if (owner === sent.merchantId) continue;
      findings.add('unexpected', `${text} shows ${id} of merchant ${owner}`);
    }
  }
}

/** A webhook that had succeeded arrives once more after its redelivery was accepted. */
function checkRedelivered(
  lines: readonly HistoryLine[],
  calls: readonly Call[],
  books: Books,
  findings: Findings,
): void {
  const eventOf = new Map(
    books.audit.map(({ details }) => [details.deliveryId, `${details.eventId}`]),
  );
  const lastAt = new Map<string, number>();
  const sentAt = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'received') lastAt.set(line.eventId, index);
    if (line.kind === 'sent') sentAt.set(line.call, index);
  }
  /** An earlier call of unknown outcome may be what sends the webhook. */
  const unsure = new Set<string>();
  for (const { sent, answered } of callsOf(calls, 'console-redeliver')) {
    const { deliveryId, isEnded } = sent.asked;
    if (answered?.outcome === 'unknown' || !answered) unsure.add(deliveryId);
    if (answered?.outcome !== 'ok' || !isEnded || unsure.has(deliveryId)) continue;
    const eventId = eventOf.get(deliveryId);
    // The check of the audit log tells of an act without an entry.
    if (eventId === undefined) continue;
    const at = sentAt.get(sent.call) ?? 0;
    if ((lastAt.get(eventId) ?? -1) > at) continue;
    findings.add('lost', `call ${sent.call} sent event ${eventId} again, which did not arrive`);
  }
}
