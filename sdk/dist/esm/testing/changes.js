import { amountFaults, amountOf } from './amounts.js';
import * as rules from './creation-rules.js';
import * as find from './find-faults.js';
import { list, membersOfPayment, membersOfRefund } from './lists.js';
import { heldCents, requireOpen } from './payments.js';
import { Problem, throwFaults } from './problem.js';
import { merge, parse, readBody, readSimulation, requireVersion } from './read-call.js';
import { LIMITS, SCHEMAS } from './tables.js';
const STATUS_CAUSES = {
    PAID: 'PAYMENT_SUCCEEDED',
    FAILED: 'PAYMENT_REFUSED',
    PROCESSING: 'PAYMENT_ACCEPTED',
};
const REFUND_CAUSES = {
    COMPLETED: 'EXECUTED',
    FAILED: 'REFUSED',
    RETURNED: 'MONEY_CAME_BACK',
};
class Changes {
    #parts;
    constructor(parts) {
        this.#parts = parts;
    }
    shown(payment, status = 200) {
        const body = this.#parts.payments.render(payment);
        return { status, body, version: payment.version };
    }
    shownRefund(refund, status = 200) {
        return { status, body: this.#parts.refunds.render(refund), version: refund.version };
    }
    create({ body, headers }) {
        const { members, faults } = readBody(body, headers, 'creation');
        const amount = amountOf(members.amount, 'amount', 1, LIMITS.mostCents);
        const { payer } = members;
        const steps = typeof payer?.name === 'string' ? rules.stepsOfName(payer.name) : [];
        throwFaults([
            ...faults,
            ...amountFaults(amount),
            ...rules.ruleFaults(members, this.#parts.schedule.now(), this.#parts.currency),
            ...steps.filter((step) => 'field' in step),
        ]);
        const own = members.merchant?.id ?? this.#parts.merchant.id;
        if (own !== this.#parts.merchant.id)
            throw new Problem('MERCHANT_MISMATCH');
        const wanted = steps.filter((step) => 'cause' in step);
        return this.shown(this.#parts.payments.add(members, amount, wanted), 201);
    }
    update({ id, body, headers }) {
        const payment = this.ownPayment(id);
        const patch = parse(body);
        for (const [name, value] of Object.entries(patch))
            if (value === '')
                patch[name] = null;
        const now = this.#parts.schedule.now();
        const fields = merge(payment.fields, patch);
        const set = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null));
        const nowMs = now.getTime();
        const asked = find.readInstant(set.expiryDateTime);
        const expiresMs = patch.expiryDateTime === null
            ? rules.defaultExpiry(payment.createdMs, fields.dueDate, nowMs)
            : (asked ?? payment.expiresMs);
        const faults = find.findFaults(patch, SCHEMAS.update);
        throwFaults([
            ...faults.map((each) => each.code === 'UNKNOWN_FIELD' ? { ...each, code: 'IMMUTABLE_FIELD' } : each),
            ...(patch.payer === undefined ? [] : rules.payerFaults(fields.payer)),
            ...(expiresMs === payment.expiresMs ? [] : rules.expiryFaults(set.expiryDateTime, now)),
            ...rules.metadataFaults(fields.metadata),
            ...rules.urlFaults(set),
        ]);
        requireOpen(payment);
        requireVersion(payment, headers);
        const isEqual = JSON.stringify(fields) === JSON.stringify(payment.fields);
        if (isEqual && expiresMs === payment.expiresMs)
            return this.shown(payment);
        const isMoved = expiresMs !== payment.expiresMs;
        Object.assign(payment, { fields, expiresMs, version: payment.version + 1 });
        if (isMoved)
            this.#parts.payments.watchExpiry(payment);
        return this.shown(payment);
    }
    cancel({ id, body, headers }) {
        throwFaults(readBody(body || '{}', headers, 'cancellation').faults);
        const payment = this.ownPayment(id);
        if (payment.status === 'CANCELLED')
            return this.shown(payment);
        requireOpen(payment);
        requireVersion(payment, headers);
        this.#parts.payments.apply(payment, 'CANCELLED_BY_MERCHANT');
        return this.shown(payment);
    }
    simulate({ id, body, headers }) {
        const { outcome, reason } = readSimulation(body, headers, 'simulation');
        const payment = this.ownPayment(id);
        if (outcome === 'EXPIRED')
            this.#parts.payments.expireNow(payment);
        else if (STATUS_CAUSES[outcome] === undefined)
            this.moveMoney(payment, outcome);
        else if (!this.#parts.payments.apply(payment, STATUS_CAUSES[outcome], reason))
            requireOpen(payment);
        return this.shown(payment, 202);
    }
    moveMoney(payment, outcome) {
        const { sums } = payment;
        if (outcome === 'PART_PAYMENT') {
            if (payment.payment)
                throw new Problem('ALREADY_PAID');
            const cents = Math.floor((payment.amountCents - heldCents(payment)) / 2);
            const rule = 'PART_PAYMENT while at least 0.02 are missing';
            throwFaults(cents > 0 ? [] : [find.fault('outcome', 'INVALID_VALUE', rule)]);
            sums.received += cents;
            payment.version += 1;
            return;
        }
        const cents = sums.received - sums.returned;
        if (outcome === 'SECOND_PAYMENT' ? !payment.payment : cents <= 0)
            throw new Problem('NOT_PAID');
        if (outcome === 'SECOND_PAYMENT')
            return;
        sums.returned += cents;
        payment.version += 1;
        if (payment.payment)
            this.#parts.payments.emit(payment, 'PAYMENT-RETURNED');
        this.#parts.refunds.failUncovered(payment);
    }
    createRefund({ id, body, headers }) {
        const { members, faults } = readBody(body || '{}', headers, 'refund');
        const isNamed = members.merchantRefundId !== undefined || headers.has('idempotency-key');
        const rule = 'or the header Idempotency-Key';
        if (!isNamed)
            faults.push(find.fault('merchantRefundId', 'REQUIRED_ONE_OF', rule));
        const payment = this.#parts.payments.all.find((each) => each.id === id);
        const { refund, isNew } = this.#parts.refunds.add(payment, members, body, faults);
        return this.shownRefund(refund, isNew ? 201 : 200);
    }
    simulateRefund({ id, body, headers }) {
        const { outcome, reason } = readSimulation(body, headers, 'refundSimulation');
        const found = this.ownRefund(id);
        const cause = REFUND_CAUSES[outcome] ?? '';
        if (!this.#parts.refunds.apply(found, cause, reason ?? 'NETWORK_REJECTED')) {
            const detail = `The refund is ${found.status}, and cannot become ${outcome}.`;
            throw new Problem('REFUND_OUTCOME_IMPOSSIBLE', { detail });
        }
        return this.shownRefund(found, 202);
    }
    async read(found, { query }, show) {
        const { version } = found;
        const seconds = Number(query.get('waitSeconds') ?? 0);
        if (seconds > 0)
            await this.#parts.schedule.advanceUntil(() => found.version !== version, seconds);
        return show();
    }
    ownPayment(id) {
        const found = this.#parts.payments.all.find((each) => each.id === id);
        if (!found)
            throw new Problem('PAYMENT_REQUEST_NOT_FOUND');
        return found;
    }
    ownRefund(id) {
        const found = this.#parts.refunds.all.find((each) => each.id === id);
        if (!found)
            throw new Problem('REFUND_NOT_FOUND');
        return found;
    }
}
export function createRoutes(parts) {
    const { payments, refunds, origin } = parts;
    const changes = new Changes(parts);
    const listRefunds = (call, all) => list(call, origin, all, 'refundList', membersOfRefund, (each) => refunds.render(each));
    return {
        'POST /payment-requests': (call) => changes.create(call),
        'GET /payment-requests': (call) => list(call, origin, payments.all, 'list', membersOfPayment, (each) => payments.render(each)),
        'GET /payment-requests/:id': (call) => {
            const found = changes.ownPayment(call.id);
            return changes.read(found, call, () => changes.shown(found));
        },
        'PATCH /payment-requests/:id': (call) => changes.update(call),
        'POST /payment-requests/:id/cancellation': (call) => changes.cancel(call),
        'POST /payment-requests/:id/refunds': (call) => changes.createRefund(call),
        'GET /payment-requests/:id/refunds': (call) => {
            const own = changes.ownPayment(call.id);
            const all = refunds.all.filter(({ payment }) => payment === own);
            return listRefunds(call, all);
        },
        'GET /refunds': (call) => listRefunds(call, refunds.all),
        'GET /refunds/:id': (call) => {
            const found = changes.ownRefund(call.id);
            return changes.read(found, call, () => changes.shownRefund(found));
        },
        'POST /sandbox/payment-requests/:id/simulations': (call) => changes.simulate(call),
        'POST /sandbox/refunds/:id/simulations': (call) => changes.simulateRefund(call),
    };
}
