import { alignColumns } from './align-columns.ts';
import {
  LISTENER_CHECKS,
  type ListenerCheck,
  type ListenerUnderTest,
  postRewritten,
} from './checks.ts';
import {
  LISTENER_INPUTS,
  LOCAL_INPUTS,
  readListener,
  readLocalAuthority,
} from './merchant-access.ts';
import {
  createWebhookPost,
  httpUrl,
  LONGEST_EXCHANGE_SECONDS,
  type PostedWebhook,
} from './post-webhook.ts';
import { defineTool, flag, InputFault, type ToolInput } from './tool.ts';
import { type UnseenFault, unseenFaults, unseenInWords } from './unseen-faults.ts';

const url: ToolInput<string> = {
  placeholder: '<url>',
  summary: 'the URL of the listener',
  isArgument: true,
  read: httpUrl,
};
const timeout: ToolInput<number> = {
  placeholder: '<seconds>',
  summary: 'the longest wait for an answer; the service waits as long as the default',
  read: readTimeout,
  usual: LONGEST_EXCHANGE_SECONDS,
};

/** Tries whether a listener may be trusted with money. */
export const verifyListener = defineTool({
  name: 'verify-listener',
  summary:
    'send a listener webhooks that it must accept and webhooks that it must refuse; exit code ' +
    '1 if it does otherwise. All webhooks are marked as tests, for no payment request',
  inputs: {
    url,
    timeout,
    json: flag('print one JSON document instead of text'),
    ...LOCAL_INPUTS,
    ...LISTENER_INPUTS,
  },
  more: (program) =>
    '\nThe listener must expect the given credentials; default: those of the local merchant, ' +
    `as ${program} listen has them.`,
  async run(options, { program }) {
    const secrets = await readListener(options);
    const authority = await readLocalAuthority(options);
    const post = createWebhookPost(options.url, authority, options.timeout);
    const unseen = unseenFaults(program);
    const result = { ...(await runAll({ post, secrets })), unseen };
    return { value: result, lines: inWords(options.url, result), isOk: result.ok };
  },
});

interface Judged {
  readonly name: string;
  readonly ok: boolean;
  readonly expected: ListenerCheck['expected'];
  readonly answers: readonly PostedWebhook[];
  readonly because: string;
}

/** A fault that explains all the others. */
const DIAGNOSES = {
  REFUSES_ALL:
    'The listener refuses every right webhook. Compare the URL, the username and password, and ' +
    'the signing secret that it expects with those given here. The key of the signature is the ' +
    'base64 text after whsec_, decoded to bytes.',
  UNREACHABLE: 'Start the listener, or correct the URL.',
  SLOW: 'Store the event, answer 2xx, and work later: the service waits no longer than 15 s.',
  REWRITES_BODY:
    'The listener verifies a copy of the body that was parsed and written again. Verify the ' +
    'bytes that came: real amounts stand as 10.00, and a copy has 10.',
} as const;

interface Result {
  readonly ok: boolean;
  /** null where no single fault explains the others. */
  readonly diagnosis: keyof typeof DIAGNOSES | null;
  readonly checks: readonly Judged[];
}

/**
 * The checks run one after the other: the result of a check must not depend on the next. Without an
 * answer to the first check no other is run, as each would wait for the same.
 */
async function runAll(listener: ListenerUnderTest): Promise<Result> {
  const judged: Judged[] = [];
  let diagnosis: Result['diagnosis'] = null;
  for (const check of LISTENER_CHECKS) {
    const result = await runOne(check, listener);
    judged.push(result);
    if (judged.length === 1 && !result.ok) diagnosis = await diagnose(listener, result.answers);
    if (diagnosis === 'UNREACHABLE' || diagnosis === 'SLOW') break;
  }
  if (diagnosis === null && judged.every(isRefused)) diagnosis = 'REFUSES_ALL';
  return { ok: judged.every(({ ok }) => ok), diagnosis, checks: judged };
}

/** Whether a check shows a listener that refuses what it must take. */
function isRefused({ expected, answers }: Judged): boolean {
  if (expected === 'REFUSED') return true;
  return answers.every(({ status }) => status !== null && status >= 400 && status < 500);
}

async function runOne(
  { name, expected, because, run }: ListenerCheck,
  listener: ListenerUnderTest,
): Promise<Judged> {
  const answers = await run(listener);
  const ok = answers.length > 0 && answers.every((answer) => fits(answer, expected));
  const isTooSlow = answers.some((answer) => answer.isTooSlow);
  return { name, ok, expected, answers, because: isTooSlow ? DIAGNOSES.SLOW : because };
}

async function diagnose(
  listener: ListenerUnderTest,
  [first]: readonly PostedWebhook[],
): Promise<Result['diagnosis']> {
  if (first?.isTooSlow) return 'SLOW';
  if (first?.status == null) return 'UNREACHABLE';
  return fits(await postRewritten(listener), 'TAKEN') ? 'REWRITES_BODY' : null;
}

/** A refusal is a 4xx: 5xx says that the listener stumbled, 410 that it wants no more at all. */
function fits({ status }: PostedWebhook, expected: ListenerCheck['expected']): boolean {
  if (status === null) return false;
  if (expected === 'TAKEN') return status >= 200 && status < 300;
  return status >= 400 && status < 500 && status !== 410 && status !== 404;
}

function inWords(
  url: string,
  { diagnosis, checks, unseen }: Result & { readonly unseen: readonly UnseenFault[] },
): string[] {
  if (diagnosis === 'UNREACHABLE') {
    const reason = checks[0]?.answers[0]?.text ?? '';
    return [`No answer from ${url}: ${reason}. ${DIAGNOSES.UNREACHABLE}`];
  }
  const faults = checks.filter(({ ok }) => !ok);
  const lines = alignColumns(
    checks.map(({ ok, name, expected, answers }) => [
      ok ? 'ok  ' : 'FAIL',
      name,
      `must be ${expected.toLowerCase()}`,
      answersInWords(answers),
    ]),
  );
  const reasons = faults.map(({ name, because }) => `- ${name}: ${because}`);
  if (diagnosis === 'SLOW') return [...lines, '', 'No other check was run.', ...reasons];
  const verdict =
    faults.length === 0
      ? `The listener is right in all ${checks.length} checks.`
      : `${faults.length} of ${checks.length} checks failed.`;
  const explained = diagnosis ? [DIAGNOSES[diagnosis]] : reasons;
  return [...lines, '', verdict, ...explained, '', ...unseenInWords(unseen, url)];
}

function answersInWords(answers: readonly PostedWebhook[]): string {
  const said = answers.map(({ status, text }) => (status === null ? text : String(status)));
  const slowestMs = Math.max(...answers.map(({ durationMs }) => durationMs));
  return `${[...new Set(said)].join(', ')} (${slowestMs} ms)`;
}

function readTimeout(text: string): number {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= LONGEST_EXCHANGE_SECONDS) return value;
  throw new InputFault(`Give seconds, from 1 to ${LONGEST_EXCHANGE_SECONDS}.`);
}
