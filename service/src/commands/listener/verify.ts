import { Command } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import type { Invocation } from '#commands/cli/invocation.ts';
import { jsonOption } from '#commands/cli/options.ts';
import { printResult } from '#commands/cli/print-result.ts';
import { LISTENER_CHECKS, type ListenerCheck, type ListenerUnderTest } from './checks.ts';
import { httpUrl } from './listen.ts';
import {
  addListenerOptions,
  addLocalOptions,
  type ListenerOptions,
  readListener,
  readLocalAuthority,
} from './merchant-access.ts';
import { createWebhookPost, type PostedWebhook } from './post-webhook.ts';

/** `payreq verify-listener`: tries whether a listener may be trusted with money. */
export function verifyListenerCommand(invocation: Invocation): Command {
  const command = new Command('verify-listener')
    .description(
      'send a listener webhooks that it must accept and webhooks that it must refuse; exit code ' +
        '1 if it does otherwise. All webhooks are marked as tests, for no payment request',
    )
    .argument('<url>', 'the URL of the listener', httpUrl)
    .addOption(jsonOption());
  return addListenerOptions(addLocalOptions(command, invocation), invocation)
    .addHelpText(
      'after',
      '\nThe listener must expect the given credentials; default: those of the local merchant.',
    )
    .action(async (url: string, options: ListenerOptions & { json?: boolean }) => {
      const secrets = await readListener(options);
      const post = createWebhookPost(url, await readLocalAuthority(options));
      const checks = await runAll({ post, secrets });
      const ok = checks.every((check) => check.ok);
      printResult(invocation, options, { ok, checks }, inWords(checks));
      if (!ok) invocation.fail();
    });
}

interface Judged {
  readonly name: string;
  readonly ok: boolean;
  readonly expected: ListenerCheck['expected'];
  readonly answers: readonly PostedWebhook[];
  readonly because: string;
}

/** The checks run one after the other: the result of a check must not depend on the next. */
async function runAll(listener: ListenerUnderTest): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const { name, expected, because, run } of LISTENER_CHECKS) {
    const answers = await run(listener);
    const ok = answers.length > 0 && answers.every((answer) => fits(answer, expected));
    judged.push({ name, ok, expected, answers, because });
  }
  return judged;
}

/** A refusal is a 4xx: 5xx says that the listener stumbled, 410 that it wants no more at all. */
function fits({ status }: PostedWebhook, expected: ListenerCheck['expected']): boolean {
  if (status === null) return false;
  if (expected === 'TAKEN') return status >= 200 && status < 300;
  return status >= 400 && status < 500 && status !== 410 && status !== 404;
}

function inWords(checks: readonly Judged[]): string[] {
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
  const verdict =
    faults.length === 0
      ? `The listener is right in all ${checks.length} checks.`
      : `${faults.length} of ${checks.length} checks failed.`;
  return [...lines, '', verdict, ...reasons];
}

function answersInWords(answers: readonly PostedWebhook[]): string {
  const said = answers.map(({ status, text }) => (status === null ? text : String(status)));
  const slowestMs = Math.max(...answers.map(({ durationMs }) => durationMs));
  return `${[...new Set(said)].join(', ')} (${slowestMs} ms)`;
}
