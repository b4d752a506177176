import { limitTransactions } from '#database/limit-transactions.ts';
import { sharePages } from '#database/lists/read-pages.ts';
import { LoadGate } from '#http/overload/load-gate.ts';
import { findCurrentAccount } from '#merchants/accounts/find-current-account.ts';
import { hasTemplate } from '#merchants/messages/settings-store.ts';
import { createMessageKey } from '#messages/addresses/message-key.ts';
import { createCreationBatcher } from '#payment-requests/create/creation-batcher.ts';
import { noCreationHooks } from '#payment-requests/create/creation-hooks.ts';
import { findTogether } from '#payment-requests/lookup/batch-lookups.ts';
import { CONTRACT_TIMES } from '#payment-requests/model/expiry.ts';
import type { ValidateUrlsDeps } from '#payment-requests/model/validate-urls.ts';
import { findOpenedLinks } from '#payment-requests/payer-link/find-link.ts';
import { batchPages } from '#payment-requests/read/newest-pages/batch-pages.ts';
import { paymentRequestList } from '#payment-requests/read/payment-request-list.ts';
import { renderTestWebhook } from '#payment-requests/test-webhook/render-test-webhook.ts';
import { createRefundBatcher } from '#refunds/create/refund-batcher.ts';
import { findSpentIds } from '#refunds/spent-ids/spent-ids.ts';
import { createSandboxCreationHooks } from '#sandbox/create-sandbox-creation-hooks.ts';
import { faultOfMessage, secondsToFirstStep, warnOfMessage } from '#sandbox/refunds/plan-refund.ts';
import type { AppDeps } from '../app.ts';
import { reportDepsOf } from './connect-network.ts';
import { consoleDepsOf } from './console-deps.ts';
import type { Foundation } from './foundation.ts';
import { composeAccess } from './merchant-access.ts';
import { channelsOf, messageHooksOf } from './messages/message-deps.ts';
import { unpayableOf } from './networks.ts';
import type { Parts } from './parts.ts';
import { createTrafficClassifier } from './traffic-class.ts';

/** The needs of the public listener, part by part. */
export function appDepsOf(foundation: Foundation, parts: Parts): AppDeps {
  const { config, clock, log, metrics, tracing } = foundation;
  const { answers, forwarders, connected, move, refund } = parts;
  const access = composeAccess(foundation);
  const { requireMerchant } = access;
  const gate = new LoadGate(clock);
  metrics.observeLoad(() => gate.load());
  const calls = paymentRequestDepsOf(foundation, parts, requireMerchant);
  const console = consoleDepsOf(foundation, parts);
  return {
    clock,
    origin: new URL(config.publicApiUrl).origin,
    trustedProxies: config.trustedProxies,
    forwarders,
    requestLog: { log, metrics, clock, answers },
    tracing,
    gate,
    classify: createTrafficClassifier(config),
    tokenCall: access.tokenCall,
    requireMerchant,
    ...calls,
    refunds: refundDepsOf(foundation, parts, requireMerchant),
    simulations:
      config.environment === 'sandbox'
        ? { move: reportDepsOf({ foundation, move, refund }), refund, requireMerchant }
        : null,
    messages: {
      db: foundation.db,
      ...console.messaging,
      publicApiUrl: config.publicApiUrl,
      requireMerchant,
      key: createMessageKey(config.secretsKey),
      move,
    },
    ledger: { ...config, db: foundation.db, reads: foundation.reads, clock, requireMerchant },
    webhooks: webhookDepsOf(foundation, parts, requireMerchant),
    paymentLinks: paymentLinkDepsOf(foundation, parts),
    network: connected?.network ?? null,
    console: {
      ...console,
      creation: calls.paymentRequests.validation,
      readPage: calls.paymentRequests.readPage,
    },
    apiReference: {
      environment: config.environment,
      publicApiUrl: config.publicApiUrl,
      publicAuthUrl: config.publicAuthUrl,
    },
  };
}

function paymentRequestDepsOf(
  { config, db, reads, clock, metrics }: Foundation,
  { guard, changes, move, connected }: Parts,
  requireMerchant: AppDeps['requireMerchant'],
): Pick<AppDeps, 'paymentRequests' | 'changes'> {
  const isSandbox = config.environment === 'sandbox';
  const hooks = isSandbox ? createSandboxCreationHooks() : noCreationHooks;
  const validation = validateUrlsDepsOf(config, guard);
  const times = connected?.network.times ?? CONTRACT_TIMES;
  const network = connected?.network.limits ?? null;
  const messages = messageHooksOf(config, clock);
  const channels = { available: channelsOf(config), smsCountryCode: config.smsCountryCode };
  return {
    paymentRequests: {
      db,
      reads,
      readPage: sharePages(reads, paymentRequestList(clock, config, batchPages(clock, metrics))),
      clock,
      settings: config,
      waiters: changes.waiters,
      find: findTogether(db, metrics),
      warningOf: hooks.warningOf,
      requireMerchant,
      validation: {
        ...validation,
        clock,
        limits: { ...config, times, network, channels },
        hooks,
        hasCreditorAccount: async (id) => (await findCurrentAccount(db, id)) !== null,
        hasTemplate: (id, named) => hasTemplate(db, id, named),
      },
      create: createCreationBatcher({
        ...{ db, hooks, messages, cell: config.cell, settings: config, metrics },
      }),
    },
    changes: {
      move,
      update: { ...validation, db, clock, times, channels, messages, onChanged: changes.changed },
      requireMerchant,
    },
  };
}

function validateUrlsDepsOf(
  { environment, isLocal }: Foundation['config'],
  guard: Parts['guard'],
): ValidateUrlsDeps {
  return {
    webhookUrlFault: async (url) => {
      const verdict = await guard.check(url, 'save');
      return verdict.allowed ? null : verdict.reason;
    },
    areOriginsRegistered: environment === 'production',
    isLocal,
  };
}

function refundDepsOf(
  { config, db, reads, clock, metrics }: Foundation,
  { guard, changes, refund, connected }: Parts,
  requireMerchant: AppDeps['requireMerchant'],
): AppDeps['refunds'] {
  const isSandbox = config.environment === 'sandbox';
  const isSupported = isSandbox || (connected !== null && connected.network.refunds !== null);
  const handOverSeconds = isSandbox ? secondsToFirstStep : () => 0;
  return {
    db,
    reads,
    clock,
    settings: config,
    waiters: changes.refundWaiters,
    requireMerchant,
    validation: {
      ...validateUrlsDepsOf(config, guard),
      currency: config.currency,
      messageFault: isSandbox ? faultOfMessage : () => null,
    },
    create: createRefundBatcher({
      ...refund,
      metrics,
      timeZone: config.timeZone,
      handOverSeconds: isSupported ? handOverSeconds : null,
      findSpentIds: (tx, ids) => findSpentIds(tx, config.secretsKey, ids),
      findUnpayable: unpayableOf(config),
      warningOf: isSandbox ? warnOfMessage : () => null,
    }),
  };
}

function webhookDepsOf(
  { config, db, clock }: Foundation,
  { guard, changes, move }: Parts,
  requireMerchant: AppDeps['requireMerchant'],
): AppDeps['webhooks'] {
  return {
    ...config,
    db: limitTransactions(db),
    clock,
    guard,
    actor: 'api',
    renderTestEvent: (event) => renderTestWebhook(event, config),
    wakeSenders: move.wakeSenders,
    feedWaiters: changes.feedWaiters,
    requireMerchant,
  };
}

function paymentLinkDepsOf(
  { config, db, clock, metrics }: Foundation,
  { notes, connected }: Parts,
): AppDeps['paymentLinks'] {
  return {
    ...{ ...config, db, clock, notes },
    findLink: findOpenedLinks({ db, clock, metrics }),
    paying: connected?.paying ?? null,
  };
}
