import { listCases } from '#cases/case-store.ts';
import { readNotices } from '#commands/cases/notices-store.ts';
import { alignColumns } from '#commands/cli/align-columns.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { countText } from '#lib/words/count-text.ts';

/** Older notices have been seen, or are of no more use. */
const DAYS = 7;

/** `payreq notices`: what an operator should know at this moment. */
export const noticesCommand = defineCommand({
  summary:
    'print paused and failing webhook endpoints, exhausted deliveries of the last ' +
    `${DAYS} days, and the number of open cases`,
  run: async ({ db }) => ({
    ...(await readNotices(db, DAYS)),
    openCases: (await listCases(db, false)).length,
  }),
  print({ paused, failing, exhausted, openCases }) {
    const rows = [
      ...paused.map(({ merchantId, endpointId, reason, held, url }) => [
        'PAUSED',
        merchantId,
        `${url} (${endpointId})`,
        `${reason ?? 'by the merchant'}, ${held} held`,
      ]),
      ...failing.map(({ destination, failures, failingSince }) => [
        'FAILING',
        '',
        destination,
        `${countText(failures, 'failure')}, since ${failingSince.toISOString()}`,
      ]),
      ...exhausted.map(({ merchantId, url, deliveries, lastAt }) => [
        'GIVEN UP',
        merchantId,
        url,
        `${countText(deliveries, 'delivery', 'deliveries')}, the last ${lastAt.toISOString()}`,
      ]),
    ];
    const lines = rows.length === 0 ? ['Every endpoint is well.'] : alignColumns(rows);
    const cases = openCases === 0 ? [] : [`Open cases: ${openCases}. See: payreq cases list`];
    return [...lines, ...cases];
  },
});
