import { randomUUID } from 'node:crypto';
import { type Routes, type ShopAnswer, type ShopRequest, seeOther } from './http/shop-request.ts';
import type { InboxRouteDeps } from './inbox-routes.ts';
import type { Order } from './order.ts';
import { notFoundPage } from './pages/message-page.ts';
import { type RefundPageOptions, refundPage } from './pages/refund-page.ts';
import type { AnswerPage } from './pages/shop-page.ts';
import { staffOnlyPage, staffPage } from './pages/staff-page.ts';
import type { PaymentRouteDeps } from './payment-routes.ts';
import { readRefundForm, readRefundToken } from './refunds/read-refund-form.ts';
import { readRefundable } from './refunds/read-refundable.ts';
import { merchantRefundIdOf, type OrderRefund, refundsPathOf } from './refunds/refund.ts';
import { sendRefund } from './refunds/send-refund.ts';
import { isStaff, isStaffKey, staffCookie } from './refunds/staff-access.ts';

export interface RefundRouteDeps extends Omit<PaymentRouteDeps, 'refresh'>, InboxRouteDeps {}

/** The longest name that the checkout takes. */
const LONGEST_SEARCH = 100;

type Rest = Partial<Pick<RefundPageOptions, 'fields' | 'faults' | 'refusal'>>;

/** The pages of the shop's staff: the latest orders, and the refunds of an order. */
export function refundRoutes(deps: RefundRouteDeps, page: AnswerPage): Routes {
  const { orders, now, staffKey, currency, inbox } = deps;

  const staffOnly = (asked: ShopRequest) =>
    page(asked, staffOnlyPage(asked.language), { status: 403 });
  /** Answers the staff alone; nobody else learns which orders there are. */
  function forStaff(
    answer: (request: ShopRequest, order: Order) => Promise<ShopAnswer>,
  ): Routes[string] {
    return (request, id) => {
      if (!isStaff(request, staffKey)) return staffOnly(request);
      const order = orders.findOrder(id);
      if (!order) return page(request, notFoundPage(request.language), { status: 404 });
      return answer(request, order);
    };
  }

  async function show(request: ShopRequest, order: Order, status = 200, rest: Rest = {}) {
    const refundables = await readRefundable(deps, order.id);
    const shown = refundPage(
      { language: request.language, currency },
      {
        order: orders.findOrder(order.id) ?? order,
        refundables,
        refunds: orders.refunds.list(order.id),
        token: randomUUID(),
        ...rest,
      },
    );
    return page(request, shown, { status });
  }

  async function send(request: ShopRequest, order: Order, stored: OrderRefund) {
    const sent = await sendRefund(deps, stored);
    if (sent.status !== 'REFUSED') return seeOther(refundsPathOf(order.id));
    const fields = fieldsOf(request, sent);
    return show(request, order, 422, { refusal: sent.reasonCode, fields });
  }

  return {
    'GET /staff': (request) => {
      const key = request.query.get('key');
      if (key !== null && isStaffKey(staffKey, key)) {
        return seeOther('/staff', [staffCookie(staffKey)]);
      }
      if (!isStaff(request, staffKey)) return staffOnly(request);
      const search = (request.query.get('q') ?? '').trim().slice(0, LONGEST_SEARCH);
      const found = orders.listOrders(search);
      const shown = { language: request.language, currency };
      return page(request, staffPage(shown, found, { search, hasInbox: inbox !== null }));
    },

    'GET /orders/:id/refunds': forStaff((request, order) => show(request, order)),
    'POST /orders/:id/refunds': forStaff(async (request, order) => {
      const token = readRefundToken(request.form);
      if (token === undefined) return seeOther(refundsPathOf(order.id));
      const id = merchantRefundIdOf(order.number, token);
      const known = orders.refunds.find(id);
      // The first post decides: a repetition may hold other values.
      if (known) return send(request, order, known);
      const read = readRefundForm(request.form);
      if ('faults' in read) return show(request, order, 422, read);
      const isPaid = orders.listPaid(order.id).some((paid) => paid.id === read.asked.paymentId);
      if (!isPaid) return show(request, order, 422, { refusal: 'NOT_PAID' });
      // Stored before the call: a lost answer or a crash forgets no refund.
      const asked = { ...read.asked, id, orderId: order.id };
      return send(request, order, orders.refunds.ask(asked, now()));
    }),
  };
}

/** The form as it was sent, for a page that names the refusal. */
function fieldsOf({ form }: ShopRequest, sent: OrderRefund) {
  return { ...sent, amount: form.get('amount') ?? '', message: sent.message ?? '' };
}
