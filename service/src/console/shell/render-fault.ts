import type { FastifyError, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import { DatabaseUnavailable } from '#database/database.ts';
import { MOST_FIELDS } from '#http/forms/count-fields.ts';
import type { ConsoleLanguage } from '#http/negotiation/choose-language.ts';
import { hasText, pageTexts } from '#http/pages/texts.ts';
import { PROBLEMS } from '#http/problems/kinds.ts';
import { Problem } from '#lib/problem.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import { SHELL_TEXTS } from './texts.ts';

const PROBLEM_TEXTS = pageTexts('console.problems');

/** Why a call is refused, in the language of a page. */
export function problemSentences(language: ConsoleLanguage, { code, errors }: Problem): string[] {
  const { text } = PROBLEM_TEXTS[language];
  if (errors.length > 0)
    return errors.map(({ field, message }) => text('field', { field, message }));
  return [hasText('console.problems', code) ? text(code) : PROBLEMS[code].detail];
}

/** Why no page or outcome can be shown. */
export type ConsoleFault =
  | {
      readonly kind: 'denied' | 'notFound' | 'outdated' | 'unavailable' | 'unsure' | 'tooMany';
    }
  | { readonly kind: 'tooLarge'; readonly mostBytes: number }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly reasonsIn: (language: ConsoleLanguage) => readonly string[];
    };

const STATUS_OF = {
  denied: 403,
  notFound: 404,
  outdated: 403,
  tooLarge: 413,
  unavailable: 503,
  unsure: 503,
  tooMany: 429,
} as const;

/** Too many bytes, and too many fields. */
const TOO_LARGE: readonly unknown[] = ['FST_ERR_CTP_BODY_TOO_LARGE', 'PAYLOAD_TOO_LARGE'];

/** A refusal by an operator's rules has the status of a conflict. */
const OPERATOR_FAULT_STATUS = 409;

export function statusOf(fault: ConsoleFault): number {
  return fault.kind === 'refused' ? fault.status : STATUS_OF[fault.kind];
}

/** The fault of a thrown error; null: the error is a fault of the service. */
export function faultOf(
  error: FastifyError | Error,
  { method, routeOptions }: FastifyRequest,
): ConsoleFault | null {
  if (error instanceof DatabaseUnavailable) {
    return { kind: method === 'POST' && error.mayBeDone ? 'unsure' : 'unavailable' };
  }
  if ('code' in error && TOO_LARGE.includes(error.code)) {
    return { kind: 'tooLarge', mostBytes: routeOptions.bodyLimit };
  }
  if (error instanceof OperatorFault) {
    const reasonsIn = (language: ConsoleLanguage) => [error.sentence(language)];
    return { kind: 'refused', status: OPERATOR_FAULT_STATUS, reasonsIn };
  }
  if (!(error instanceof Problem)) return null;
  const { code } = error;
  if (code === 'RATE_LIMITED') return { kind: 'tooMany' };
  if (code === 'TEMPORARILY_UNAVAILABLE') return { kind: 'unavailable' };
  if (code.endsWith('_NOT_FOUND')) return { kind: 'notFound' };
  const reasonsIn = (language: ConsoleLanguage) => problemSentences(language, error);
  return { kind: 'refused', status: PROBLEMS[code].status, reasonsIn };
}

/** The page of a fault, without its frame. */
export function faultPage(
  fault: ConsoleFault,
  { language, requestId }: { readonly language: ConsoleLanguage; readonly requestId: string },
): { readonly title: string; readonly body: string } {
  const { text } = SHELL_TEXTS[language];
  const foot = html`<p class="actions"><a class="button quiet" href="/console"
>${text('fault.home')}</a></p><p class="small">${text('fault.requestId', { id: requestId })}</p>`;
  if (fault.kind === 'refused') {
    const title = text('fault.refused');
    const items = fault.reasonsIn(language).map((reason) => html`<li>${reason}</li>`);
    return { title, body: html`<h1>${title}</h1><ul>!${items.join('')}</ul>!${foot}` };
  }
  if (fault.kind === 'tooMany') {
    const title = text('fault.tooMany');
    return { title, body: html`<h1>${title}</h1>!${foot}` };
  }
  const title = text(`fault.${fault.kind}`);
  const next =
    fault.kind === 'tooLarge'
      ? text('fault.tooLargeNext', { kilobytes: fault.mostBytes / 1_024, fields: MOST_FIELDS })
      : text(`fault.${fault.kind}Next`);
  return { title, body: html`<h1>${title}</h1><p>${next}</p>!${foot}` };
}
