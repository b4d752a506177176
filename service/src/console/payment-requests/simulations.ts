import { html } from 'ghtml';
import type { Static, TObject } from 'typebox';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { FormItem, Option } from '#console/forms/form-field.ts';
import { button, renderForm } from '#console/forms/render-form.ts';
import { schemaFaultsOf } from '#console/lists/schema-faults-of.ts';
import type { ConsoleRoutes } from '#console/shell/console-routes.ts';
import type { Visit } from '#console/shell/visit.ts';
import { throwFaults } from '#lib/first-faults.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import type { Refund } from '#refunds/model/refund.ts';
import { REFUSAL_CODES } from '#sandbox/outcomes.ts';
import { REFUND_FAILURE_CODES } from '#sandbox/refunds/plan-refund.ts';
import { possibleRefundOutcomes } from '#sandbox/refunds/simulate-refund.ts';
import {
  advanceForPerson,
  type SimulatingActor,
  simulateOutcomeForPerson,
  simulateRefundForPerson,
} from '#sandbox/simulate-for-person.ts';
import { possibleOutcomes } from '#sandbox/simulate-outcome.ts';
import { RefundSimulationSchema, SimulationSchema } from '#sandbox/simulation-schemas.ts';
import { AdvanceSchema, MOST_ADVANCED_SECONDS } from '#sandbox/time/advance-schemas.ts';
import { backTo, pathOf } from './request-acts.ts';
import { REASON_TEXTS, REQUEST_TEXTS } from './texts.ts';

const PATH = '/m/:merchant/payment-requests/:id';
const RIGHT = 'payment-requests.simulate';

/** The acts of the simulator, by the schemas of the merchant's own calls. */
export function registerSimulations(
  routes: ConsoleRoutes,
  { db, clock, move, refund }: ConsoleDeps,
): void {
  const register = <Schema extends TObject>(
    path: string,
    { schema, done }: { readonly schema: Schema; readonly done: string },
    run: (by: SimulatingActor, ids: Visit['params'], body: Static<Schema>) => Promise<unknown>,
  ) =>
    routes.act(PATH + path, RIGHT, async (_, visit, form, request) => {
      const { actor, merchantId, params } = visit;
      request.paymentRequestId = params.id ?? '';
      const body = readBody(form, schema);
      throwFaults(schemaFaultsOf(request, schema, body));
      await run({ db, clock, actor, merchantId }, params, body as Static<Schema>);
      return backTo(visit, done);
    });
  register('/simulate', { schema: SimulationSchema, done: 'reported' }, (by, { id = '' }, body) =>
    simulateOutcomeForPerson(by, move, id, body),
  );
  register(
    '/refunds/:refund/simulate',
    { schema: RefundSimulationSchema, done: 'reported' },
    (by, ids, body) => simulateRefundForPerson(by, refund, ids.refund ?? '', body),
  );
  register('/advance', { schema: AdvanceSchema, done: 'advanced' }, (by, { id = '' }, body) =>
    advanceForPerson(by, id, body.seconds),
  );
}

/** The posted members of the schema. The list always has a reason, which FAILED alone takes. */
function readBody(form: URLSearchParams, { properties }: TObject) {
  const isFailed = form.get('outcome') === 'FAILED';
  const names = Object.keys(properties).filter((name) => name !== 'reason' || isFailed);
  const sent = names.flatMap((name) => {
    const text = form.get(name);
    return text === null ? [] : [[name, name === 'seconds' ? Number(text) : text]];
  });
  return Object.fromEntries(sent);
}

/** The outcomes that are possible now, and the time of the payment request. */
export function simulations(visit: Visit, p: PaymentRequest): string {
  if (!visit.can(RIGHT)) return '';
  const { text } = REQUEST_TEXTS[visit.language];
  const form = outcomeForm(visit, {
    action: `${pathOf(visit, p)}/simulate`,
    id: 'payment-reason',
    outcomes: possibleOutcomes(p).map((each) => [each, text(`simulate.${each}`)]),
    reasons: REFUSAL_CODES.map((each) => [each, reasonIn(visit, `payment.${each}`)]),
    reason: 'PAYER_DECLINED',
  });
  const seconds: FormItem = {
    name: 'seconds',
    kind: 'whole',
    label: text('advance'),
    hint: text('advanceHint'),
    most: MOST_ADVANCED_SECONDS,
    isRequired: true,
  };
  const time = renderForm(visit, {
    action: `${pathOf(visit, p)}/advance`,
    items: [seconds],
    buttons: button(text('advanceNow'), { kind: 'quiet' }),
  });
  return html`<section class="card"><h2>${text('simulate')}</h2>
<p class="quiet">${text('simulateWhy')}</p>!${form}!${time}</section>`;
}

/** The outcomes of a refund that are possible now, closed until a person opens them. */
export function refundSimulation(visit: Visit, p: PaymentRequest, refund: Refund): string {
  const { id } = refund;
  const outcomes = possibleRefundOutcomes(refund);
  if (!visit.can(RIGHT) || outcomes.length === 0) return '';
  const { text } = REQUEST_TEXTS[visit.language];
  const form = outcomeForm(visit, {
    action: `${pathOf(visit, p)}/refunds/${id}/simulate`,
    id: `reason-${id}`,
    outcomes: outcomes.map((each) => [each, text(`simulateRefund.${each}`)]),
    reasons: REFUND_FAILURE_CODES.map((each) => [each, reasonIn(visit, `refund.${each}`)]),
    reason: 'NETWORK_REJECTED',
  });
  return html`<details class="exchange"><summary>${text('simulate')}</summary>!${form}</details>`;
}

function reasonIn({ language }: Visit, key: Parameters<(typeof REASON_TEXTS)['en']['text']>[0]) {
  return html`${REASON_TEXTS[language].text(key)}`;
}

interface OutcomeForm {
  /** Below `/console`. */
  readonly action: string;
  /** The id of the list of reasons. */
  readonly id: string;
  /** A button each: the value, and its words. */
  readonly outcomes: readonly (readonly [value: string, words: string])[];
  readonly reasons: readonly Option[];
  /** The reason that the list shows at first: that of a call without one. */
  readonly reason: string;
}

function outcomeForm(visit: Visit, { action, id, outcomes, reasons, reason }: OutcomeForm): string {
  if (outcomes.length === 0) return '';
  const { text } = REQUEST_TEXTS[visit.language];
  const label = text('simulateReason');
  const list: FormItem = {
    name: 'reason',
    id,
    kind: 'choice',
    label,
    value: reason,
    options: reasons,
  };
  const canFail = outcomes.some(([value]) => value === 'FAILED');
  const buttons = outcomes.map(([value, words]) =>
    button(words, { ...(value !== 'PAID' && { kind: 'quiet' }), name: 'outcome', value }),
  );
  return renderForm(visit, { action, items: canFail ? [list] : [], buttons: buttons.join(' ') });
}
