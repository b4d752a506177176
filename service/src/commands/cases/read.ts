import { findCase, listCases } from '#cases/case-store.ts';
import { CASE_KINDS, SETTLEMENTS } from '#cases/model/case-kinds.ts';
import type { OperatorCase } from '#cases/model/operator-case.ts';
import { readLeftCents } from '#cases/read/read-left.ts';
import { alignColumns, factsOf } from '#commands/cli/align-columns.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { flag } from '#commands/cli/inputs.ts';
import { isId } from '#lib/new-id.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { CASE } from './settle.ts';

export const list = defineCommand({
  summary: 'print the open cases, newest first',
  options: { all: flag('closed cases, too') },
  run: async ({ db }, { all }) => ({ cases: (await listCases(db, all)).map(toEntry) }),
  print: ({ cases }) =>
    cases.length === 0
      ? 'There is no open case.'
      : alignColumns(
          cases.map((each) => [
            each.id,
            stateOf(each),
            each.openedDateTime.slice(0, 16),
            each.kind,
            each.paymentRequestId ?? '',
            JSON.stringify(each.details),
          ]),
        ),
});

export const show = defineCommand({
  summary: 'print a case with its meaning and the ways to settle it',
  options: { id: CASE },
  async run({ db }, { id }) {
    const found = isId(id) ? await findCase(db, id) : null;
    if (!found) throw new OperatorFault(`No case has the id ${id}.`);
    const leftCents = await readLeftCents(db, found);
    const { meaning, advice, allows } = CASE_KINDS[found.kind];
    const settlements = [...allows, 'CLOSED' as const].map((each) => SETTLEMENTS[each]);
    return {
      ...toEntry(found),
      ...(leftCents !== null && { leftCents }),
      ...{ meaning, advice, settlements },
    };
  },
  print: (found) =>
    factsOf({
      Case: found.id,
      Kind: found.kind,
      Meaning: found.meaning,
      State: stateOf(found),
      Opened: found.openedDateTime,
      'Payment request': found.paymentRequestId,
      Merchant: found.merchantId,
      ...Object.fromEntries(
        Object.entries(found.details).map(([name, value]) => [name, textOf(value)]),
      ),
      ...(found.leftCents !== undefined && { leftCents: `${found.leftCents}` }),
      Advice: found.advice,
      'Settle it by': found.settlements.join(', '),
    }),
});

function toEntry({ openedAt, closedAt, ...rest }: OperatorCase) {
  return {
    ...rest,
    openedDateTime: openedAt.toISOString(),
    closedDateTime: closedAt?.toISOString() ?? null,
  };
}

function stateOf({ closedDateTime, settlement }: ReturnType<typeof toEntry>): string {
  return closedDateTime === null ? 'OPEN' : (settlement ?? 'CLOSED');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
