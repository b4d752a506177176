import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, ConsolePage, Visit } from '#console/shell/visit.ts';
import { isId, newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import {
  type AskedByPerson,
  type CreateForPersonDeps,
  createForPerson,
} from '#payment-requests/create/create-for-person.ts';
import type { ValidateCreationDeps } from '#payment-requests/create/validate-creation.ts';
import { faultSentences } from './fault-sentences.ts';
import { createForm, type FieldFaults, type ShownForm } from './form.ts';
import { type HandOverDeps, registerHandOverPage } from './hand-over-page.ts';
import { readForm, readTyped } from './read-form.ts';
import { CREATE_TEXTS } from './texts.ts';

export interface CreatePagesDeps
  extends HandOverDeps,
    Omit<CreateForPersonDeps, 'hooks' | 'validation'> {
  readonly creation: ValidateCreationDeps;
}

const PATH = '/m/:merchant/payment-requests/new';
const ACTION = 'payment-requests.create';
const NO_FAULTS: FieldFaults = new Map();

/** The form of a new payment request, and the page that hands it over to the payer. */
export function registerCreatePages(routes: ConsoleRoutes, deps: CreatePagesDeps): void {
  routes.page({
    path: PATH,
    action: ACTION,
    show: (visit) => formPage(visit, { formKey: newId(), typed: {}, faults: NO_FAULTS }),
  });
  routes.act({
    ...{ path: PATH, action: ACTION, form: 'typed' },
    act: (...call) => create(deps, ...call),
  });
  registerHandOverPage(routes, deps);
}

async function create(
  deps: CreatePagesDeps,
  visit: Visit,
  form: URLSearchParams,
  request: FastifyRequest,
): Promise<ConsoleAnswer> {
  const { merchantId, actor, timeZone } = visit;
  const typed = readTyped(form);
  const sentKey = form.get('form-key') ?? '';
  // A key that is none of ours would let two forms count as one.
  const formKey = isId(sentKey) ? sentKey : newId();
  const body = readForm(request, typed, timeZone);
  try {
    const id = await createOnce(deps, { merchantId, actor, formKey, body });
    return { to: `/console/m/${merchantId}/payment-requests/${id}/hand-over`, done: 'created' };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { text } = CREATE_TEXTS[visit.language];
    switch (error.code) {
      case 'VALIDATION_ERROR': {
        const faults = faultSentences(visit, error.errors, mostCentsOf(deps));
        return formPage(visit, { formKey, typed, faults });
      }
      case 'DUPLICATE_MERCHANT_TRANSACTION_ID': {
        const faults = new Map([['merchantTransactionId', text('fault.taken')]]);
        return formPage(visit, { formKey, typed, faults });
      }
      case 'IDEMPOTENCY_KEY_REUSED':
        // The person went back and changed the form: the next sending is another creation.
        return {
          ...formPage(visit, { formKey: newId(), typed, faults: NO_FAULTS }),
          status: UNPROCESSABLE,
          notice: text('again'),
        };
      default:
        throw error;
    }
  }
}

const UNPROCESSABLE = 422;
/** A creation takes some 10 ms; a double click sends the form twice within that time. */
const RETRY_MS = 100;
const MOST_TRIES = 20;

/**
 * Creates once for a form, also for its second sending while the first is at work: the browser
 * shows the answer of the second alone.
 */
async function createOnce(
  { creation, ...deps }: CreatePagesDeps,
  asked: AskedByPerson,
): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const more = { hooks: creation.hooks, validation: creation };
      return await createForPerson({ ...deps, ...more }, asked);
    } catch (error) {
      const isAtWork = error instanceof Problem && error.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (!isAtWork || tries === MOST_TRIES) throw error;
      await wait(RETRY_MS);
    }
  }
}

/** The highest amount of the deployment and its network. */
function mostCentsOf({ creation: { limits } }: CreatePagesDeps): number {
  return Math.min(limits.maxAmountCents, limits.network?.highestAmountCents ?? Infinity);
}

function formPage(visit: Visit, form: ShownForm): ConsolePage {
  const { text } = CREATE_TEXTS[visit.language];
  return {
    title: text('title'),
    section: 'payment-requests',
    body: html`<h1>${text('title')}</h1><p class="quiet">${text('lead')}</p>
!${createForm(visit, form)}`,
    ...(form.faults.size > 0 && { status: UNPROCESSABLE }),
  };
}
