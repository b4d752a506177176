import { createLivePages } from '#http/live/live-pages.ts';
import { createAddressLimit } from '#http/overload/address-limit.ts';
import { type BankSettings, settingsWithoutRelease } from '#lib/bank/bank-settings.ts';
import { newPageId } from '#lib/cells/page-id.ts';
import type { LoopWork } from '#lib/loop.ts';
import type {
  ETransferNetwork,
  MakeNetwork,
  NetworkSurroundings,
  NetworkTimes,
} from '../e-transfer-network.ts';
import { bankBooksOf } from './bank-books.ts';
import { connectionLoop } from './connection/connection-loop.ts';
import { filesLoop } from './files/files-loop.ts';
import { TRANSFER_PATH } from './open-transfer.ts';
import { transferErrorPages } from './pages/transfer-style.ts';
import { processDepsOf } from './process-deps.ts';
import { staleClaimsLoop } from './programs/hand-out.ts';
import { createSilenceWatch } from './reconciliation/watch-silence.ts';
import { newReference } from './references/new-reference.ts';
import { refundLoop } from './refunds-out/refund-loop.ts';
import { createRefundsOut } from './refunds-out/refunds-out.ts';
import {
  cancelTransferRequest,
  findTransferOutcome,
  findTransferRequestOf,
  findTransferVersions,
  listenForTransferChanges,
  notifyOfTransferChanges,
  putTransferRequest,
} from './request-store.ts';
import { registerTransferRoutes, type TransferRoutesDeps } from './transfer-routes.ts';

const DAY_SECONDS = 86_400;

/** An ordinary transfer takes up to three working days, over a weekend with a holiday. */
const TIMES: NetworkTimes = {
  defaultExpirySeconds: 7 * DAY_SECONDS,
  longestExpirySeconds: 90 * DAY_SECONDS,
  slowestSettlementSeconds: 10 * DAY_SECONDS,
};

/** The highest amount of a SEPA credit transfer, and of its QR code. */
const HIGHEST_AMOUNT_CENTS = 99_999_999_999;

const MINUTE_MS = 60_000;
/** Addresses of pages that do not exist, a minute: more than a person mistypes. */
const MOST_MISSES = 20;
/** Forms from one address, a minute: an office whose people pay at the same time. */
const MOST_FORMS = 60;

/**
 * The network of ordinary credit transfers: the payer transfers the amount from their own bank, and
 * the statements of the merchant's bank tell of the money (bank-transfer §1).
 */
export const createBankTransferNetwork =
  (settings: BankSettings): MakeNetwork =>
  (surroundings) =>
    createNetwork(settings, surroundings);

function createNetwork(
  settings: BankSettings,
  surroundings: NetworkSurroundings,
): ETransferNetwork {
  const { db, clock, publicOrigin, currency, cell } = surroundings;
  const livePages = createLivePages({
    clock,
    findVersions: (pageKeys) => findTransferVersions(db, pageKeys),
  });
  const silence = createSilenceWatch({ ...surroundings, calendar: settings.calendar });
  async function tellOfChanges(pageKeys: readonly string[]): Promise<void> {
    livePages.changed(pageKeys);
    await notifyOfTransferChanges(db, pageKeys);
  }
  return {
    isSimulated: settings.isDemo,
    tellsPayersBrowser: false,
    times: TIMES,
    limits: {
      currencies: [currency],
      highestAmountCents: HIGHEST_AMOUNT_CENTS,
      needsCreditorAccount: true,
    },
    refunds: createRefundsOut(surroundings),
    books: bankBooksOf(surroundings, settings),
    async createRequest(request) {
      const { merchantId, paymentRequestId } = request;
      // A page that exists keeps its account, also when the merchant has none any more.
      const creditorAccount =
        request.creditorAccount ?? (await findTransferRequestOf(db, paymentRequestId))?.account;
      // The limits refuse the creation; the account is a condition of the page, too.
      if (!creditorAccount) {
        throw new Error(`${merchantId} has no account: payreq merchant set-account`);
      }
      const { pageKey, hasChanged } = await putTransferRequest(db, request, {
        pageKey: newPageId(cell),
        reference: newReference(creditorAccount.accountNumber),
        accountId: creditorAccount.id,
      });
      if (hasChanged) await tellOfChanges([pageKey]);
      return { payerUrl: `${publicOrigin}${TRANSFER_PATH}/${pageKey}` };
    },
    async cancelRequest(paymentRequestId) {
      await tellOfChanges(await cancelTransferRequest(db, paymentRequestId));
      const known = await findTransferRequestOf(db, paymentRequestId);
      if (!known) return 'UNKNOWN';
      return known.state === 'PAID' ? 'TOO_LATE' : 'CANNOT_PREVENT';
    },
    async askState(paymentRequestId) {
      const known = await findTransferRequestOf(db, paymentRequestId);
      if (!known) return { state: 'UNKNOWN' };
      // Also a cancelled request is open to money: its account number was shown.
      return (await findTransferOutcome(db, paymentRequestId)) ?? { state: 'OPEN' };
    },
    registerRoutes(app) {
      const stopListening = listenForTransferChanges(db, (keys) => livePages.changed(keys));
      app.addHook('onClose', stopListening);
      const deps = { ...pageDepsOf(settings, surroundings), livePages, tellOfChanges };
      registerTransferRoutes(app, deps);
    },
    warning: () => silence.warning(),
    loops: [silence.loop, ...fileLoops(surroundings, settings)],
  };
}

function pageDepsOf(
  { isDemo }: BankSettings,
  { db, clock, listener, timeZone }: NetworkSurroundings,
): Omit<TransferRoutesDeps, 'livePages' | 'tellOfChanges'> {
  return {
    db,
    listener,
    misses: createAddressLimit({ clock, limit: MOST_MISSES, windowMs: MINUTE_MS }),
    forms: createAddressLimit({ clock, limit: MOST_FORMS, windowMs: MINUTE_MS }),
    errorPages: transferErrorPages(isDemo),
    timeZone,
    isDemo,
  };
}

function fileLoops(surroundings: NetworkSurroundings, settings: BankSettings): LoopWork[] {
  const { reportRefunds } = surroundings.listener;
  const { filesDir, refundsDir, keepDays, connections, calendar, programRelease } = settings;
  for (const name of settingsWithoutRelease(settings)) {
    surroundings.log.warn(`refunds: ${name}=bank, files leave without a person`);
  }
  const files = { ...processDepsOf(surroundings, settings), keepDays };
  const sending = { ...surroundings, journalFolder: refundsDir };
  return [
    refundLoop({
      ...surroundings,
      ...{ reportRefunds, connections, calendar, programRelease, folder: refundsDir, keepDays },
    }),
    filesLoop({ ...files, folder: filesDir }),
    staleClaimsLoop(surroundings),
    ...connections.map((connection) => connectionLoop({ ...files, connection, sending })),
  ];
}
