import { amountFaults, amountOf } from './amounts.ts';
import type { Answered, Call } from './call.ts';
import * as find from './find-faults.ts';
import type { Payment } from './payments.ts';
import { throwFaults } from './problem.ts';
import { readQuery } from './read-call.ts';
import type { StoredRefund } from './refunds.ts';

type Stored = Payment | StoredRefund;

/** Lists what matches the filters of a call, newest first, as a page. */
export function list<Item extends Stored>(
  call: Call,
  origin: string,
  all: readonly Item[],
  rulesName: 'list' | 'refundList',
  membersOf: (item: Item) => find.Members,
  show: (item: Item) => object,
): Answered {
  const query = readQuery(call.query, rulesName);
  const from = find.readInstant(query.createdFrom) ?? -Infinity;
  const to = find.readInstant(query.createdTo) ?? Infinity;
  const least = amountOf(query.amountMin, 'amountMin') ?? 0;
  const most = amountOf(query.amountMax, 'amountMax') ?? Infinity;
  throwFaults(amountFaults(least, most));
  const { status, limit = 20, cursor } = query as { [name: string]: unknown };
  const statuses = status as readonly string[] | undefined;
  const compared = Object.entries(query).filter(
    ([name]) => !/^(status|limit|cursor|created|amount)/.test(name),
  );
  const found = all.toReversed().filter((item) => {
    const members = membersOf(item);
    const at = Number(members.createdMs);
    const isInRange = at >= from && at < to;
    const isOfAmount = item.amountCents >= Number(least) && item.amountCents <= Number(most);
    const isOfStatus = statuses === undefined || statuses.includes(item.status);
    const isEqual = compared.every(([name, value]) => members[name] === value);
    return isInRange && isOfAmount && isOfStatus && isEqual;
  });
  const start = cursor === undefined ? 0 : found.findIndex(({ id }) => id === cursor) + 1;
  if (start === 0 && cursor !== undefined) {
    throwFaults([find.fault('cursor', 'INVALID_FORMAT', 'as the nextCursor of the page before')]);
  }
  const data = found.slice(start, start + Number(limit));
  const hasMore = found.length > start + data.length;
  const nextCursor = hasMore ? (data.at(-1)?.id ?? null) : null;
  const linkTo = (rel: string, asked: URLSearchParams) => {
    const text = asked.size > 0 ? `?${asked}` : '';
    return { rel, href: `${origin}/v1${call.path}${text}` };
  };
  const next = new URLSearchParams(call.query);
  if (nextCursor !== null) next.set('cursor', nextCursor);
  const links = [linkTo('self', call.query), ...(hasMore ? [linkTo('next', next)] : [])];
  return { status: 200, body: { data: data.map(show), hasMore, nextCursor, links } };
}

/** The members of a payment request that filters compare. */
export const membersOfPayment = (item: Payment): find.Members => {
  const { payer, ...fields } = item.fields as { payer: find.Members };
  const reference = item.payment?.networkReference;
  return {
    ...fields,
    ...{ createdMs: item.createdMs, shortCode: item.shortCode, networkReference: reference },
    payerEmail: payer.email?.toString().toLowerCase(),
    payerMobileNumber: payer.mobileNumber?.toString().replace(/\D/g, ''),
  };
};
/** The members of a refund that filters compare. */
export const membersOfRefund = (item: StoredRefund): find.Members => ({
  ...item.fields,
  ...{ createdMs: Date.parse(item.createdDateTime), paymentRequestId: item.payment.id },
});
