import { countText } from '#lib/words/count-text.ts';
import { ERASED_PAYER } from '#payment-requests/erasure/redact-payer.ts';
import { CONTRACT_TIMES } from '#payment-requests/model/expiry.ts';
import { isOvertaken } from '#payment-requests/model/money/waiting.ts';
import { TRANSITIONS } from '#payment-requests/model/statuses.ts';
import { casesWithMoney } from '#payment-requests/network/money/follow-money.ts';
import { weighKnown } from '#payment-requests/network/money/movement-index.ts';
import { findMovements } from '#payment-requests/network/money/movement-store.ts';
import { auditRows, BEFORE_ALL_IDS } from '../audit-rows.ts';
import { type Checks, examplesIn, examplesOf, fine, verdictOf, withStop } from '../verdict.ts';
import { walkBatches } from '../walk-batches.ts';
import { findHeldMoney, findOpenCases } from './case-check-store.ts';
import { compareDaySums, findLedgerDays } from './day-sums-store.ts';
import { auditMoney } from './money-store.ts';
import { auditPaymentRequests, findUnexpired } from './payment-request-store.ts';
import { findDangling, listReferences } from './reference-store.ts';

/** 8 MB of a table, some 10,000 rows: a batch takes about 100 ms. */
const PAGES_AT_ONCE = 1_024;

/**
 * Events are searched for their bodies, 1.5 kB each, and ledger and refunds are read by index: a
 * batch of payment requests takes some 50 ms.
 */
const ROWS_AT_ONCE = 2_000;
/** Entries are read by their key; held money is rare. A batch takes some 50 ms. */
const ENTRIES_AT_ONCE = 5_000;
/** Each case reads its movements by index. */
const CASES_AT_ONCE = 500;
/** A month of 30,000 entries a day is read off an index in some 500 ms. */
const DAYS_AT_ONCE = 31;
const DAY_MS = 86_400_000;
/** The loop expires within seconds; five minutes are for a restart or a backlog. */
const UNEXPIRED_SECONDS = 300;

const EVENT_TYPES = [...new Set(TRANSITIONS.flatMap(({ webhook }) => webhook ?? []))];

/** Rows, payment requests, their money, cases and sums agree with each other. */
export const BOOK_CHECKS = {
  /**
   * Every row that names another finds it: a delivery its event, a payment request its merchant.
   * The database's own constraints hold this, but for what ran with triggers off, or a damaged
   * file.
   */
  async references({ db, showProgress }) {
    const references = await listReferences(db);
    const faults: string[] = [];
    let rows = 0;
    for (const reference of references) {
      const { child, parent, childColumns, pages } = reference;
      const name = `${child}.${childColumns.join('+')}`;
      const lost: string[] = [];
      let total = 0;
      const { stopped } = await walkBatches({
        first: 0,
        batchSize: PAGES_AT_ONCE,
        showProgress: (examined) => showProgress(`${name}: ${examined} of ${pages} pages`),
        async examine(page, limit) {
          if (page >= pages) return { examined: 0, last: null };
          const found = await findDangling(db, reference, page, limit);
          rows += found.rows;
          total += found.count;
          lost.push(...(found.examples ?? []));
          return { examined: Math.min(limit, pages - page), last: page + limit };
        },
      });
      if (total > 0) {
        faults.push(`${name} names ${parent} that do not exist: ${examplesOf(lost, total)}.`);
      }
      if (stopped !== null) faults.push(`${name}: ${stopped}`);
    }
    return verdictOf(faults, `${rows} references between rows lead to rows that exist.`);
  },
  /** Payment requests agree with their events and their timeline, and expire in time. */
  async 'payment requests'(deps) {
    const { db } = deps;
    const facts = {
      erasedEmail: ERASED_PAYER.email,
      eventTypes: EVENT_TYPES,
      keptDays: deps.retentionEventsDays,
      // The longest of all networks: a deployment may have changed its network.
      longestExpirySeconds: CONTRACT_TIMES.longestExpirySeconds,
    };
    const { examined, stopped, wrong } = await auditRows(deps, {
      ...{ unit: 'payment request', batchSize: ROWS_AT_ONCE, first: BEFORE_ALL_IDS },
      ways: {
        wrongAmounts: 'The amount differs from the webhook event’s:',
        wrongShortCodes: 'The short code differs from the webhook event’s or the network’s link:',
        wrongSequences: 'The numbers of the webhook events do not count to webhook_sequence:',
        lackEntries: 'The timeline lacks an update or a cancellation:',
        wrongTimes: 'Creation, events and payment are not in the order of time, or in the future:',
        wrongExpiries: 'The expiry precedes the creation, or lies too far ahead:',
      },
      audit: (after, limit) => auditPaymentRequests(db, after, limit, facts),
    });
    const faults = Object.values(wrong);
    const late = await findUnexpired(db, UNEXPIRED_SECONDS);
    if (late.count > 0) {
      faults.push(
        `CREATED though the expiry has passed: ${examplesIn(late)}. ` +
          'Does a process with the background role run?',
      );
    }
    return withStop(stopped, verdictOf(faults, agreement(examined)));
  },
  /**
   * The sums of each payment request are those of its ledger entries and its refunds (contract
   * §11). Refunds above the money that arrived are a warning: a bank's report states what happened.
   */
  async money(deps) {
    const { examined, stopped, wrong } = await auditRows(deps, {
      ...{ unit: 'payment request', batchSize: ROWS_AT_ONCE, first: BEFORE_ALL_IDS },
      ways: {
        wrongSums: 'The sums differ from the ledger entries:',
        foreignEntries: 'Ledger entries have another currency or another merchant:',
        wrongReferences: 'PAID without the network reference of a ledger entry:',
        wrongRefundSums: 'The sums of refunds differ from the refunds:',
        wrongEntries: 'The ledger entries of a refund do not fit its status:',
        wrongHistories: 'The events of a refund do not lead to its status in the order of time:',
        uncovered: 'More was given back than has arrived; see payreq cases list:',
      },
      audit: (after, limit) => auditMoney(deps.db, after, limit),
    });
    const { uncovered, ...faults } = wrong;
    const agreed = `The money of ${countText(examined, 'payment request')} agrees with the ledger.`;
    const warnings = uncovered ? [uncovered] : [];
    return withStop(stopped, verdictOf(Object.values(faults), agreed, warnings));
  },
  /**
   * Money that waits has an open case, and an open case has money that waits (contract §11): an act
   * of the console and the command line settles it.
   */
  async cases(deps) {
    const { db } = deps;
    const money = await auditRows(deps, {
      ...{ unit: 'ledger entry', batchSize: ENTRIES_AT_ONCE, first: BEFORE_ALL_IDS },
      ways: { lost: 'Money waits without an open case:' },
      async audit(after, limit) {
        const { references, ...batch } = await findHeldMoney(db, after, limit);
        const known = await findMovements(db, references);
        const waiting = [...known.incoming.values()].filter(
          (movement) => weighKnown(known, movement).state === 'WAITS',
        );
        const names = waiting.map(({ networkReference }) => networkReference);
        const hasCase = (name: string) => known.facts.get(name)?.cases.some(({ isOpen }) => isOpen);
        return { ...batch, lost: names.filter((name) => !hasCase(name)) };
      },
    });
    const cases = await auditRows(deps, {
      ...{ unit: 'open case', batchSize: CASES_AT_ONCE, first: BEFORE_ALL_IDS },
      ways: { stale: 'Cases are open about settled money:' },
      async audit(after, limit) {
        const open = await findOpenCases(db, after, limit);
        const overtaken = (await casesWithMoney(db, open)).filter(isOvertaken);
        const stale = overtaken.map(({ id }) => id);
        return { examined: open.length, last: open.at(-1)?.id ?? null, stale };
      },
    });
    const faults = [...Object.values(money.wrong), ...Object.values(cases.wrong)];
    const agreed = `The money that waits has its cases: ${countText(cases.examined, 'open case')}.`;
    return withStop(money.stopped ?? cases.stopped, verdictOf(faults, agreed));
  },
  /** The sums of days, with which every report opens, are those of the ledger (decision 0076). */
  async 'day sums'(deps) {
    const { db } = deps;
    const days = await findLedgerDays(db);
    if (!days) return fine('No report uses the sums of days yet: the ledger itself is read.');
    const { first, last } = days;
    const { examined, stopped, wrong } = await auditRows(deps, {
      ...{ unit: 'sum', batchSize: DAYS_AT_ONCE, first },
      ways: { wrong: 'The sums of days differ from the ledger entries:' },
      async audit(day, limit) {
        if (day === null || last === null || day > last) {
          return { examined: 0, last: null, wrong: [] };
        }
        const end = laterDay(day, limit);
        return { ...(await compareDaySums(db, day, end)), last: end };
      },
    });
    const equal = `Each of ${countText(examined, 'sum')} of a day is that of its ledger entries.`;
    return withStop(stopped, verdictOf(Object.values(wrong), equal));
  },
} satisfies Checks;

function agreement(examined: number): string {
  const one = 'payment request agrees with its events and its timeline.';
  return countText(examined, one, 'payment requests agree with their events and their timeline.');
}

function laterDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
