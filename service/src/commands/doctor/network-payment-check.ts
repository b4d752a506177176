import { countOpenWithoutPayment } from '#payment-requests/network/gauge-store.ts';
import { findUnpayable, findUnwatched } from './network-payment-store.ts';
import { type CheckDeps, examplesOf, fault, fine, type Verdict } from './verdict.ts';

/** The loop looks every second; a look that is due for longer has no loop. */
const OVERDUE_SECONDS = 300;

/** Every open payment request that the network knows can be paid, and is watched by the loop. */
export async function checkNetworkPayments({ db }: CheckDeps): Promise<Verdict> {
  const unpayable = await findUnpayable(db);
  if (unpayable.count > 0) {
    return fault(
      `The payment at the network is over of ${requests(unpayable.count)}, and nobody can pay ` +
        `them: ${examplesOf(unpayable.examples ?? [], unpayable.count)}. Open each link once: ` +
        'the next look at the network repairs it. Does a process with the background role run?',
    );
  }
  const unwatched = await findUnwatched(db, OVERDUE_SECONDS);
  if (unwatched.count > 0) {
    return fault(
      `The network is not asked any more for ${requests(unwatched.count)}: ` +
        `${examplesOf(unwatched.examples ?? [], unwatched.count)}. Does a process with the ` +
        'background role run?',
    );
  }
  const renewed = await countOpenWithoutPayment(db);
  if (renewed === 0) return fine('Every open payment request can be paid.');
  return fine(
    `Every open payment request can be paid; ${renewed} of them when the link is opened again, ` +
      'with a new payment at the network.',
  );
}

function requests(count: number): string {
  return count === 1 ? '1 open payment request' : `${count} open payment requests`;
}
