import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { ConsoleAnswer, Visit } from '#console/shell/visit.ts';
import { isId, newId } from '#lib/new-id.ts';
import { Problem } from '#lib/problem.ts';
import {
  type AskedByPerson,
  type CreateForPersonDeps,
  createForPerson,
} from '#payment-requests/create/create-for-person.ts';
import type { ValidateCreationDeps } from '#payment-requests/create/validate-creation.ts';
import { createPage } from './form.ts';
import { faultSentences, readCall } from './read-form.ts';
import { registerShareLinkPage } from './share-link-page.ts';
import { CREATE_TEXTS } from './texts.ts';

export interface CreatePagesDeps extends Omit<CreateForPersonDeps, 'hooks' | 'validation'> {
  readonly creation: ValidateCreationDeps;
}

const PATH = '/m/:merchant/payment-requests/new';
const ACTION = 'payment-requests.create';

/** The form of a new payment request, and the page that hands it over to the payer. */
export function registerCreatePages(routes: ConsoleRoutes, deps: CreatePagesDeps): void {
  routes.page(PATH, ACTION, (_, visit) => createPage(visit));
  routes.act(PATH, ACTION, 'typed', (_, ...call) => create(deps, ...call));
  registerShareLinkPage(routes);
}

async function create(
  deps: CreatePagesDeps,
  visit: Visit,
  form: URLSearchParams,
  request: FastifyRequest,
): Promise<ConsoleAnswer> {
  const { merchantId, actor } = visit;
  // A key that is none of ours would let two forms count as one.
  if (!isId(form.get('form-key') ?? '')) form.set('form-key', newId());
  const body = readCall(request, visit, form);
  try {
    const formKey = form.get('form-key') ?? '';
    const id = await createOnce(deps, { merchantId, actor, formKey, body });
    return { to: `/console/m/${merchantId}/payment-requests/${id}/share-link`, done: 'created' };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { text } = CREATE_TEXTS[visit.language];
    if (error.code === 'IDEMPOTENCY_KEY_REUSED') {
      // The person went back and changed the form: the next sending is another creation.
      form.set('form-key', newId());
      const page = createPage(visit, { sent: form });
      return { ...page, status: UNPROCESSABLE, notice: text('again') };
    }
    const isTaken = error.code === 'DUPLICATE_MERCHANT_TRANSACTION_ID';
    if (!isTaken && error.code !== 'VALIDATION_ERROR') throw error;
    const faults = isTaken
      ? { merchantTransactionId: text('fault.taken') }
      : faultSentences(visit, error.errors, mostCentsOf(deps));
    return createPage(visit, { sent: form, faults });
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
