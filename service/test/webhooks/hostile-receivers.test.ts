import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '#lib/clock.ts';
import type { MailFault } from '#lib/mail/mailer.ts';
import type { ClaimedMessage } from '#messages/model/message.ts';
import { createSmsHook } from '#messages/sms/sms-hook.ts';
import { type AttemptResult, createWebhookSender } from '#webhooks/https/send-webhook.ts';
import { createWebhookUrlGuard } from '#webhooks/https/url-guard.ts';
import type { DeliveryOutcome } from '#webhooks/model/outcomes.ts';
import { emptyWebhookTo } from '../support/webhooks/empty-webhook.ts';

const RECEIVERS = fileURLToPath(
  new URL('../support/webhooks/hostile-receivers.ts', import.meta.url),
);
/** The service's own bound: the deadlines are not made shorter here. */
const MOST_MS = 15_500;
const LATE_ANSWER_MS = 16_000;
const HALFWAY_MS = 8_000;
const WATCH_MS = 10;
const NANOSECONDS_PER_MS = 1e6;
const MOST_GROWTH_BYTES = 10 * 1024 * 1024;
/**
 * A late collection of garbage makes a process grow for a moment. A sender that keeps what it
 * reads grows in every round.
 */
const MOST_ROUNDS = 3;

/** The outcome of an attempt at each receiver. */
const EXPECTED: Readonly<Record<string, DeliveryOutcome>> = {
  'never accepts': 'CONNECT_TIMED_OUT',
  'accepts and is silent': 'CONNECT_TIMED_OUT',
  'resets as soon as it has accepted': 'CONNECTION_LOST',
  'is silent after the handshake': 'TIMED_OUT',
  'drips its head': 'TIMED_OUT',
  'drips its body': 'TIMED_OUT',
  'answers with a gigabyte': 'SUCCEEDED',
  'answers with a gigabyte in chunks': 'SUCCEEDED',
  'sends endless interim answers': 'ANSWER_TOO_LARGE',
  'sends endless 100 Continue': 'ANSWER_TOO_LARGE',
  'drips endless interim answers': 'TIMED_OUT',
  'sends a huge header': 'ANSWER_TOO_LARGE',
  'sends endless headers': 'ANSWER_TOO_LARGE',
  'sends an endless chunk extension': 'ANSWER_TOO_LARGE',
  'resets after the request': 'CONNECTION_LOST',
  'ends in the middle of its body': 'CONNECTION_LOST',
  'answers with something else than HTTP': 'MALFORMED_ANSWER',
  'answers with a gzip bomb': 'REFUSED_BY_LISTENER',
  redirects: 'REDIRECTED',
  'is gone': 'GONE',
  'asks for patience beyond reason': 'REFUSED_BY_LISTENER',
  'answers 200 too late': 'TIMED_OUT',
  'shows an expired certificate': 'CERTIFICATE_INVALID',
  'shows a certificate of its own making': 'CERTIFICATE_INVALID',
  'shows a certificate for another name': 'CERTIFICATE_INVALID',
  'speaks TLS 1.0': 'TLS_FAILED',
};

/** The fate of an SMS whose relay is such a receiver: the head of the answer decides. */
const EXPECTED_OF_SMS: Readonly<Record<string, string>> = {
  'never accepts': 'TRANSIENT DEADLINE',
  'accepts and is silent': 'TRANSIENT DEADLINE',
  'resets as soon as it has accepted': 'TRANSIENT ECONNRESET',
  'is silent after the handshake': 'TRANSIENT DEADLINE',
  'drips its head': 'TRANSIENT DEADLINE',
  'drips its body': 'SENT',
  'answers with a gigabyte': 'SENT',
  'answers with a gigabyte in chunks': 'SENT',
  'sends endless interim answers': 'TRANSIENT CONNECTION',
  'sends endless 100 Continue': 'TRANSIENT CONNECTION',
  'drips endless interim answers': 'TRANSIENT CONNECTION',
  'sends a huge header': 'TRANSIENT HPE_HEADER_OVERFLOW',
  'sends endless headers': 'TRANSIENT HPE_HEADER_OVERFLOW',
  'sends an endless chunk extension': 'SENT',
  'resets after the request': 'TRANSIENT ECONNRESET',
  'ends in the middle of its body': 'SENT',
  'answers with something else than HTTP': 'TRANSIENT HPE_INVALID_CONSTANT',
  'answers with a gzip bomb': 'TRANSIENT HTTP 500',
  redirects: 'TRANSIENT HTTP 307',
  'is gone': 'CONTENT HTTP 410',
  'asks for patience beyond reason': 'TRANSIENT HTTP 429',
  'answers 200 too late': 'TRANSIENT DEADLINE',
  'shows an expired certificate': 'SERVER CERT_HAS_EXPIRED',
  'shows a certificate of its own making': 'SERVER UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'shows a certificate for another name': 'SERVER ERR_TLS_CERT_ALTNAME_INVALID',
  'speaks TLS 1.0': 'TRANSIENT',
};
/** Long enough for all receivers at once on a busy machine. */
const SMS_EXCHANGE_MS = 5_000;
/** A relay that is held for longer than its bound is held for ever. */
const HELD_FOR_EVER = { timeout: 12 * SMS_EXCHANGE_MS };

let child: ChildProcess;
let receivers: { readonly caPem: string; readonly urls: Readonly<Record<string, string>> };

before(async () => {
  child = spawn(process.execPath, [RECEIVERS, `${LATE_ANSWER_MS}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  assert.ok(child.stdout);
  const lines = createInterface({ input: child.stdout });
  const [line] = await new Promise<[string]>((resolve) =>
    lines.once('line', (text) => resolve([text])),
  );
  receivers = JSON.parse(line);
});
after(() => child.kill());

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Without what only waits to be collected. */
function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Sends one webhook to each, all at once. */
async function sendToAll(deadlines: { exchangeTimeoutMs?: number; connectTimeoutMs?: number }) {
  const sender = createWebhookSender({
    clock: systemClock,
    guard: createWebhookUrlGuard({
      allowCidrs: ['127.0.0.1/32', '::1/128'],
      allowPorts: '*',
      resolvers: [],
    }),
    caPem: receivers.caPem,
    ...deadlines,
  });
  const results = new Map<string, AttemptResult & { readonly tookMs: number }>();
  await Promise.all(
    Object.entries(receivers.urls).map(async ([name, url]) => {
      const startedMs = performance.now();
      const webhook = emptyWebhookTo(url);
      const result = await sender.send(webhook);
      results.set(name, { ...result, tookMs: performance.now() - startedMs });
    }),
  );
  await sender.close();
  return results;
}

/** Sends with the service's own deadlines, and measures the memory meanwhile. */
async function measureRound() {
  const usedBefore = usedBytes();
  const residentBefore = process.memoryUsage.rss();
  let mostResident = residentBefore;
  const watching = setInterval(() => {
    mostResident = Math.max(mostResident, process.memoryUsage.rss());
  }, WATCH_MS);
  // A busy machine runs a due timer late, for the deadlines as for this histogram.
  const lateness = monitorEventLoopDelay({ resolution: WATCH_MS });
  lateness.enable();
  const sending = sendToAll({});
  // By then only those are left that take all the time there is.
  await wait(HALFWAY_MS);
  const usedHalfway = usedBytes();
  const results = await sending;
  clearInterval(watching);
  lateness.disable();
  const usedAfter = usedBytes();
  return {
    results,
    mostMs: MOST_MS + lateness.max / NANOSECONDS_PER_MS,
    growth: {
      'in use while they hang': usedHalfway - usedBefore,
      'in use afterwards': usedAfter - usedBefore,
      'resident at most': mostResident - residentBefore,
    },
  };
}

describe('hostile receivers', () => {
  it('cost at most 15.5 s each, and less than 10 MB together', { timeout: 90_000 }, async (t) => {
    // Code and buffers of first use are no growth.
    await sendToAll({ exchangeTimeoutMs: 1_000, connectTimeoutMs: 500 });
    let round = await measureRound();
    for (
      let n = 1;
      n < MOST_ROUNDS && round.growth['resident at most'] >= MOST_GROWTH_BYTES;
      n += 1
    ) {
      round = await measureRound();
    }
    const { results, mostMs, growth } = round;

    assert.deepEqual(
      Object.fromEntries([...results].map(([name, { outcome }]) => [name, outcome])),
      EXPECTED,
    );
    for (const [name, { tookMs, responseExcerpt }] of results) {
      assert.ok(tookMs <= mostMs, `${name}: ${tookMs} ms of ${mostMs} ms`);
      assert.ok((responseExcerpt?.length ?? 0) <= 4_096, name);
    }
    assert.equal(results.get('asks for patience beyond reason')?.retryAfterSeconds, 3_600);
    for (const [what, bytes] of Object.entries(growth)) {
      t.diagnostic(`${inMb(bytes)} more ${what}`);
      assert.ok(bytes < MOST_GROWTH_BYTES, `${inMb(bytes)} more ${what}`);
    }
  });

  it(
    'hold an SMS no longer than its bound, and end it only by a refusal',
    HELD_FOR_EVER,
    async () => {
      const mail = { id: 'id', to: '', subject: '', text: 'text' };
      const outgoing = { message: {} as ClaimedMessage, address: '+15145550142', mail };
      const found = await Promise.all(
        Object.entries(receivers.urls).map(async ([name, address]) => {
          const url = new URL(address);
          const { caPem } = receivers;
          const options = { url, token: 'token', caPem, exchangeTimeoutMs: SMS_EXCHANGE_MS };
          const { signal } = new AbortController();
          const result = await createSmsHook(options)
            .send(outgoing, signal, async () => true)
            .catch((error: MailFault) => `${error.kind} ${error.reason}`);
          return [name, result] as const;
        }),
      );
      assert.deepEqual(
        found.filter(([name, result]) => !result.startsWith(EXPECTED_OF_SMS[name] ?? '?')),
        [],
      );
    },
  );
});

function inMb(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
