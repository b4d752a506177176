/**
 * `npm run bench -- parsers`: the processor time of the worst call of each parser that runs before
 * its caller is known, or on a merchant's call: head, query, cookies, credentials, forms, JSON.
 * Each call is sent alone, `--times` (20) times a round, and the best of five rounds counts.
 * Options: `--json`, `--all` (every row, not only the 20 dearest), and parts of names.
 */

import { processorMsOf } from '../child-processes/process-times.ts';
import { describeMachine } from '../describe-machine.ts';
import { type HostileCall, renderCall } from '../parsers/hostile-call.ts';
import { hostileCalls } from '../parsers/hostile-calls.ts';
import { sendRaw } from '../parsers/send-raw.ts';
import { createPaymentRequest } from '../service/calls.ts';
import { startServiceUnderTest } from '../service/service-under-test.ts';
import { readOptions } from './read-options.ts';

const ROUNDS = 5;
/** The aim: a caller who is not known costs no more. */
const MOST_MS = 5;
const SHOWN = 20;

interface Row {
  readonly name: string;
  readonly bytes: number;
  readonly statuses: readonly number[];
  /** Its caller is known before the body is read, and has a budget. */
  readonly isOfMerchant: boolean;
  /** Processor time of the service's process for a call. */
  readonly ms: number;
}

const { serverUrl, isJson, args, numberOf } = readOptions();
const times = numberOf('--times', 20);
const nameParts = args.filter((arg) => !/^(--|\d)/.test(arg));
const service = await startServiceUnderTest(serverUrl, {
  ENVIRONMENT: 'production',
  E_TRANSFER_NETWORK: 'simulated',
  ALLOW_SIMULATED_NETWORK: 'yes',
  TRUSTED_PROXIES: '127.0.0.1,::1',
});
const merchantHeaders = Object.entries(service.headers);
try {
  const { id, shortCode } = await createPaymentRequest(service);
  const opened = await fetch(`${service.url}/pay/${shortCode}`, { redirect: 'manual' });
  const gateway = new URL(opened.headers.get('location') ?? '', service.url).pathname;
  const calls = hostileCalls({ merchant: merchantHeaders, id, shortCode, gateway }).filter(
    ({ name }) => nameParts.length === 0 || nameParts.some((part) => name.includes(part)),
  );
  const rows: Row[] = [];
  for (const call of calls) rows.push(await measure(call));
  const dearest = rows.toSorted((one, other) => other.ms - one.ms);
  const shown = args.includes('--all') ? dearest : dearest.slice(0, SHOWN);
  if (isJson) process.stdout.write(`${JSON.stringify({ machine: describeMachine(), rows })}\n`);
  else {
    for (const { name, bytes, statuses, ms, isOfMerchant } of shown) {
      const mark = ms > MOST_MS ? `  ABOVE ${MOST_MS} ms` : '';
      const by = isOfMerchant ? '  good credentials' : '';
      const size = `${(bytes / 1_024).toFixed(0)} kB`.padStart(7);
      console.log(
        `${name.padEnd(66)} ${size}  ${statuses}  ${ms.toFixed(2).padStart(6)} ms${mark}${by}`,
      );
    }
    const over = rows.filter(({ ms, isOfMerchant }) => ms > MOST_MS && !isOfMerchant).length;
    console.log(
      `${rows.length} calls, ${over} of unknown callers above ${MOST_MS} ms; ${describeMachine()}`,
    );
  }
} finally {
  await service.end();
}
process.exit();

async function measure(call: HostileCall): Promise<Row> {
  const bytes = renderCall(call);
  const statuses = new Set<number>();
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const fromMs = processorMsOf(service.pid);
    for (let n = 0; n < times; n += 1) statuses.add(await sendRaw(service.url, bytes));
    rounds.push((processorMsOf(service.pid) - fromMs) / times);
  }
  const isOfMerchant = merchantHeaders.every((header) => call.headers?.includes(header));
  const ms = Math.min(...rounds);
  return { name: call.name, bytes: bytes.length, statuses: [...statuses], isOfMerchant, ms };
}
