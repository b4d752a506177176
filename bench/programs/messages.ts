/**
 * `npm run bench -- messages`: webhooks beside messages to payers, the window between the last read
 * of a payment request and the end of its mail, and creations with each `deliveryMode`.
 * Options: `--rounds <n>` (3), `--seconds <n>` for each case of a round (15), `--json`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../service/src/database/database.ts';
import {
  type SmtpBehaviour,
  startSmtpServer,
} from '../../service/test/support/mail/smtp-server.ts';
import { describeMachine } from '../describe-machine.ts';
import { generateLoad } from '../load/generate-load.ts';
import { openLagMeasure } from '../measures/webhook-lag.ts';
import { median } from '../median.ts';
import { createCall } from '../service/calls.ts';
import { type ServiceUnderTest, startServiceUnderTest } from '../service/service-under-test.ts';
import { connectService } from '../webhooks/commit-events.ts';
import { loopbackWebhooks, makeListenerTls } from '../webhooks/listener-tls.ts';
import { readOptions } from './read-options.ts';

/** Five times the default of MAIL_RATE. */
const RATE = 50;
const LISTENERS = 20;
/** An address gets ten messages in a day. */
const RECIPIENTS = Array.from({ length: 600 }, (_, n) => `payer${n}@example.com`);
const CONNECTIONS = 16;

/** The states of the mail server; null: nothing is due. */
const CASES: Readonly<Record<string, SmtpBehaviour | null>> = {
  'no message is due': null,
  'the mail server takes mails': {},
  'the mail server is silent': { isSilent: true },
  'the mail server is busy (421)': { answers: { EHLO: '421 busy' } },
};
const MODES = ['left out', 'NONE', 'EMAIL'] as const;

const { serverUrl, isJson, numberOf } = readOptions();
const rounds = numberOf('--rounds', 3);
const seconds = numberOf('--seconds', 15);
const folder = mkdtempSync(join(tmpdir(), 'payment-requests-bench-'));
const server = await startSmtpServer();
const lags: Record<string, { p50Ms: number; p99Ms: number; missing: number; mails: number }[]> = {};
const windows: number[] = [];
const creates: Record<string, number[]> = {};
try {
  const tls = await makeListenerTls(folder);
  const service = await startServiceUnderTest(serverUrl, {
    ...loopbackWebhooks(tls),
    MAIL_SMTP_URL: server.url,
    MAIL_FROM: 'pay@pay.example',
    MAIL_SANDBOX_RECIPIENTS: RECIPIENTS.join(','),
    MAIL_RATE: `${RATE}`,
    MAIL_HOURLY_LIMIT: '1000000',
  });
  const lagCase = { listeners: LISTENERS, hanging: 0, hasEndpoints: true };
  const measure = await openLagMeasure(service, tls.tlsFile, lagCase);
  const db = connectService(service);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, behaviour] of turned(Object.entries(CASES), round)) {
      server.behave(behaviour ?? {});
      const before = server.mails.length;
      if (behaviour) await makeDue(service, seconds * RATE);
      const { p50Ms, p99Ms, missing } = await measure.run(seconds);
      lags[name] ??= [];
      lags[name].push({ p50Ms, p99Ms, missing, mails: server.mails.length - before });
      windows.push(...(await forgetMessages(db)));
    }
  }
  await measure.end();
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of turned(MODES, round)) {
      creates[mode] ??= [];
      creates[mode].push(await createsPerSecond(service, mode));
      await forgetMessages(db);
    }
  }
  await db.close();
  await service.end();
} finally {
  await server.close();
  rmSync(folder, { recursive: true });
}
const sorted = windows.sort((one, other) => one - other);
const window = {
  mails: sorted.length,
  p50Ms: sorted[Math.floor(sorted.length * 0.5)],
  p99Ms: sorted[Math.floor(sorted.length * 0.99)],
  maxMs: sorted.at(-1),
};
const machine = describeMachine();
if (isJson) {
  console.log(JSON.stringify({ machine, seconds, rounds, lags, window, creates }, null, 2));
} else {
  const alone = lags['no message is due'] ?? [];
  for (const name of Object.keys(CASES)) {
    const all = lags[name] ?? [];
    const at = (key: 'p50Ms' | 'p99Ms') =>
      show(
        all.map((each) => each[key]),
        1,
      );
    const ratio = show(all.map(({ p99Ms }, n) => p99Ms / (alone[n]?.p99Ms ?? Number.NaN)));
    const [missing, mails] = (['missing', 'mails'] as const).map((key) =>
      all.reduce((sum, each) => sum + each[key], 0),
    );
    const times = `p50 ${at('p50Ms')} ms  p99 ${at('p99Ms')} ms  ratio ${ratio}`;
    console.log(`${name.padEnd(32)} ${times}  lost ${missing}  mails ${mails}`);
  }
  const { mails, p50Ms, p99Ms, maxMs } = window;
  console.log(
    `last read to end: p50 ${p50Ms} ms  p99 ${p99Ms} ms  max ${maxMs} ms, ${mails} mails`,
  );
  const without = creates['left out'] ?? [];
  for (const mode of MODES) {
    const all = creates[mode] ?? [];
    const ratio = show(all.map((each, n) => each / (without[n] ?? Number.NaN)));
    console.log(`create, ${mode}: ${show(all, 0)} a second  ratio ${ratio}`);
  }
  console.log(`${machine}; ${rounds} rounds of ${seconds} s`);
}

/** Another one begins in each round: the machine is not as busy at its start as at its end. */
function turned<Item>(items: readonly Item[], round: number): Item[] {
  const at = round % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

/** The median, for people. */
function show(values: readonly number[], digits = 2): string {
  return (median(values) ?? Number.NaN).toFixed(digits);
}

/** Creates payment requests whose link is due at once. */
async function makeDue(service: ServiceUnderTest, count: number): Promise<void> {
  const { url, method, headers } = createCall(service);
  for (let from = 0; from < count; from += CONNECTIONS) {
    const one = async (_: unknown, n: number) => {
      const answer = await fetch(url, { method, headers, body: bodyFor('EMAIL', from + n) });
      if (answer.status !== 201) throw new Error(await answer.text());
      await answer.arrayBuffer();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
  }
}

function bodyFor(mode: (typeof MODES)[number], n = 0): string {
  return JSON.stringify({
    ...{ amount: 25.5, type: 'ECOMM', ...(mode !== 'left out' && { deliveryMode: mode }) },
    payer: { name: 'Ada Payer', email: RECIPIENTS[n % RECIPIENTS.length] },
  });
}

async function createsPerSecond(
  service: ServiceUnderTest,
  mode: (typeof MODES)[number],
): Promise<number> {
  const { perSecond } = await generateLoad(
    { ...createCall(service), body: bodyFor(mode), seconds: 3, connections: CONNECTIONS },
    service,
  );
  return perSecond;
}

/**
 * Ends all messages, so that the next case begins with none.
 * @returns the windows of those that were sent, in milliseconds
 */
async function forgetMessages(db: Database): Promise<number[]> {
  const rows = await db.query<{ readonly ms: number }>({
    name: '',
    text: `WITH gone AS (DELETE FROM messages RETURNING *)
      SELECT extract(epoch FROM (attempt_log -> -1 ->> 'endDateTime')::timestamptz
        - (attempt_log -> -1 ->> 'readDateTime')::timestamptz)::float8 * 1000 AS ms
      FROM gone WHERE status = 'SENT' AND attempt_log -> -1 ->> 'readDateTime' IS NOT NULL`,
  });
  return rows.map(({ ms }) => ms);
}
