/**
 * `npm run bench -- forms`: 40 connections send hostile forms without credentials, each from
 * another address, while honest callers call. The control is as many connections that ask for the
 * page of the sign-in, in turn. Options: `--seconds <n>` for each round (6), `--json`, and parts of
 * names.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { processorMsOf } from '../child-processes/process-times.ts';
import { describeMachine } from '../describe-machine.ts';
import { generateLoad, type LoadRequest } from '../load/generate-load.ts';
import { createHonestCallers, type HonestAnswers } from '../service/honest-callers.ts';
import { startServiceUnderTest } from '../service/service-under-test.ts';
import { readOptions } from './read-options.ts';

const CONNECTIONS = 40;
const FORM_BYTES = 130_000;
/** The generator warms up for a second, and the load goes on behind the last honest call. */
const LEAD_MS = 1_500;
const TRAIL_SECONDS = 2;
/** The attack of a caller who tries not to be noticed. */
const SLOW_RATE = 50;
const ROUNDS = 3;

type Attack = Pick<LoadRequest, 'method' | 'headers' | 'body' | 'rate'> & {
  readonly name: string;
  readonly path: string;
  /** Left out: the page of the sign-in. */
  readonly control?: Attack;
};

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' };
const SECRET = 'A'.repeat(43);
const LINK = '/console/sign-in/link';
const fields = 'a&'.repeat(FORM_BYTES / 2);
const part = '--x\r\ncontent-disposition:form-data;name=a\r\n\r\n\r\n';
const parts = `${part.repeat(FORM_BYTES / part.length)}--x--\r\n`;

function post(name: string, path: string, headers: Attack['headers'], body: string): Attack {
  return { ...{ name, path, body, method: 'POST' }, headers };
}

const formCookie = { ...FORM, cookie: `console-form=${SECRET}` };
const sessionCookie = { ...FORM, cookie: `console=${SECRET}` };
const fewFields = `link=${'a'.repeat(3_700)}${'&a'.repeat(190)}`;
const CONTROL: Attack = { name: '', method: 'GET', path: '/console/sign-in', headers: {} };
const ATTACKS: readonly Attack[] = [
  post('65,000 fields', LINK, FORM, fields),
  post('65,000 fields, with the cookie of a form', LINK, formCookie, fields),
  post('4 kB of 190 fields, with the cookie of a form', LINK, formCookie, fewFields),
  post('2,700 parts', LINK, MULTIPART, parts),
  post('one field of 130 kB', LINK, FORM, `a=${'b'.repeat(FORM_BYTES)}`),
  {
    ...post('65,000 fields, an invented session', '/console/search', sessionCookie, fields),
    // A page finds no session either.
    control: { ...CONTROL, path: '/console/search', headers: sessionCookie },
  },
  { ...post(`65,000 fields, ${SLOW_RATE} a second`, LINK, FORM, fields), rate: SLOW_RATE },
];

interface Outcome extends HonestAnswers {
  /** Answers to the attack a second. */
  readonly perSecond: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Processor time of the service in a second, in milliseconds. */
  readonly busyMs: number;
}

const { serverUrl, isJson, args, numberOf } = readOptions();
const seconds = numberOf('--seconds', 6);
const nameParts = args.filter((arg) => !/^(--|\d)/.test(arg));
const isAsked = ({ name }: Attack) =>
  nameParts.length === 0 || nameParts.some((each) => name.includes(each));
const service = await startServiceUnderTest(serverUrl, {
  ENVIRONMENT: 'production',
  E_TRANSFER_NETWORK: 'simulated',
  ALLOW_SIMULATED_NETWORK: 'yes',
  TRUSTED_PROXIES: '127.0.0.1',
});
try {
  const callHonestly = await createHonestCallers(service);
  await callHonestly(2);
  const none = await callHonestly(seconds);
  print(`none: ${none.good} of ${none.calls} good, p50 ${none.p50Ms} ms, p99 ${none.p99Ms} ms`);
  for (const attack of ATTACKS.filter(isAsked)) {
    const rounds: { readonly control: Outcome; readonly attacked: Outcome }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const control = await measure(attack.control ?? CONTROL, callHonestly);
      rounds.push({ control, attacked: await measure(attack, callHonestly) });
    }
    if (isJson) console.log(JSON.stringify({ attack: attack.name, rounds }));
    else print(describe(attack.name, rounds));
  }
  print(describeMachine());
} finally {
  await service.end();
}
process.exit();

async function measure(
  { path, control: _, ...attack }: Attack,
  callHonestly: (seconds: number) => Promise<HonestAnswers>,
): Promise<Outcome> {
  const load = generateLoad({
    ...attack,
    url: service.url + path,
    headers: { ...attack.headers, 'x-forwarded-for': '[<address>]' },
    connections: CONNECTIONS,
    seconds: seconds + TRAIL_SECONDS,
    expectedStatus: 200,
    allowsFailures: true,
  });
  await wait(LEAD_MS);
  const [fromMs, busyFromMs] = [performance.now(), processorMsOf(service.pid)];
  const honest = await callHonestly(seconds);
  const busyMs = ((processorMsOf(service.pid) - busyFromMs) / (performance.now() - fromMs)) * 1_000;
  const { statuses } = await load;
  const sum = Object.values(statuses).reduce((count, each) => count + each, 0);
  return { perSecond: sum / (seconds + TRAIL_SECONDS), statuses, busyMs, ...honest };
}

type Rounds = readonly { readonly control: Outcome; readonly attacked: Outcome }[];

/** Medians of the rounds: other programs of the machine disturb a round. */
function describe(name: string, rounds: Rounds): string {
  const median = (of: (round: Rounds[number]) => number) => {
    const values = rounds.map(of).toSorted((one, other) => one - other);
    return values[Math.floor(values.length / 2)] ?? Number.NaN;
  };
  const pair = (of: (outcome: Outcome) => number, digits = 0) =>
    `${median(({ attacked }) => of(attacked)).toFixed(digits)} and ` +
    `${median(({ control }) => of(control)).toFixed(digits)}`;
  const ratio = (of: (outcome: Outcome) => number) =>
    `${median(({ control, attacked }) => of(attacked) / of(control)).toFixed(2)} ×`;
  const good = rounds.reduce((sum, { attacked }) => sum + attacked.good, 0);
  const calls = rounds.reduce((sum, { attacked }) => sum + attacked.calls, 0);
  return (
    `${name.padEnd(46)} and its control: ${pair(({ perSecond }) => perSecond)}/s ` +
    `(${Object.keys(rounds[0]?.attacked.statuses ?? {})}), ` +
    `${pair(({ busyMs, perSecond }) => busyMs / perSecond, 2)} ms of processor time each; ` +
    `${good} of ${calls} good, p50 ${pair(({ p50Ms }) => p50Ms)} ms (${ratio((o) => o.p50Ms)}), ` +
    `p99 ${pair(({ p99Ms }) => p99Ms)} ms (${ratio((o) => o.p99Ms)})`
  );
}

function print(text: string): void {
  if (!isJson) console.log(text);
}
