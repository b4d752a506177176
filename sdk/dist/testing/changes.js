"use strict";
var __createBinding = (this && this.__createBinding) || (Object.create ? (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    var desc = Object.getOwnPropertyDescriptor(m, k);
    if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
      desc = { enumerable: true, get: function() { return m[k]; } };
    }
    Object.defineProperty(o, k2, desc);
}) : (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    o[k2] = m[k];
}));
var __setModuleDefault = (this && this.__setModuleDefault) || (Object.create ? (function(o, v) {
    Object.defineProperty(o, "default", { enumerable: true, value: v });
}) : function(o, v) {
    o["default"] = v;
});
var __importStar = (this && this.__importStar) || (function () {
    var ownKeys = function(o) {
        ownKeys = Object.getOwnPropertyNames || function (o) {
            var ar = [];
            for (var k in o) if (Object.prototype.hasOwnProperty.call(o, k)) ar[ar.length] = k;
            return ar;
        };
        return ownKeys(o);
    };
    return function (mod) {
        if (mod && mod.__esModule) return mod;
        var result = {};
        if (mod != null) for (var k = ownKeys(mod), i = 0; i < k.length; i++) if (k[i] !== "default") __createBinding(result, mod, k[i]);
        __setModuleDefault(result, mod);
        return result;
    };
})();
Object.defineProperty(exports, "__esModule", { value: true });
exports.createRoutes = createRoutes;
const amounts_ts_1 = require("./amounts.js");
const rules = __importStar(require("./creation-rules.js"));
const find = __importStar(require("./find-faults.js"));
const lists_ts_1 = require("./lists.js");
const payments_ts_1 = require("./payments.js");
const problem_ts_1 = require("./problem.js");
const read_call_ts_1 = require("./read-call.js");
const tables_ts_1 = require("./tables.js");
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
        const { members, faults } = (0, read_call_ts_1.readBody)(body, headers, 'creation');
        const amount = (0, amounts_ts_1.amountOf)(members.amount, 'amount', 1, tables_ts_1.LIMITS.mostCents);
        const { payer } = members;
        const steps = typeof payer?.name === 'string' ? rules.stepsOfName(payer.name) : [];
        (0, problem_ts_1.throwFaults)([
            ...faults,
            ...(0, amounts_ts_1.amountFaults)(amount),
            ...rules.ruleFaults(members, this.#parts.schedule.now(), this.#parts.currency),
            ...steps.filter((step) => 'field' in step),
        ]);
        const own = members.merchant?.id ?? this.#parts.merchant.id;
        if (own !== this.#parts.merchant.id)
            throw new problem_ts_1.Problem('MERCHANT_MISMATCH');
        const wanted = steps.filter((step) => 'cause' in step);
        return this.shown(this.#parts.payments.add(members, amount, wanted), 201);
    }
    update({ id, body, headers }) {
        const payment = this.ownPayment(id);
        const patch = (0, read_call_ts_1.parse)(body);
        for (const [name, value] of Object.entries(patch))
            if (value === '')
                patch[name] = null;
        const now = this.#parts.schedule.now();
        const fields = (0, read_call_ts_1.merge)(payment.fields, patch);
        const set = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null));
        const nowMs = now.getTime();
        const asked = find.readInstant(set.expiryDateTime);
        const expiresMs = patch.expiryDateTime === null
            ? rules.defaultExpiry(payment.createdMs, fields.dueDate, nowMs)
            : (asked ?? payment.expiresMs);
        const faults = find.findFaults(patch, tables_ts_1.SCHEMAS.update);
        (0, problem_ts_1.throwFaults)([
            ...faults.map((each) => each.code === 'UNKNOWN_FIELD' ? { ...each, code: 'IMMUTABLE_FIELD' } : each),
            ...(patch.payer === undefined ? [] : rules.payerFaults(fields.payer)),
            ...(expiresMs === payment.expiresMs ? [] : rules.expiryFaults(set.expiryDateTime, now)),
            ...rules.metadataFaults(fields.metadata),
            ...rules.urlFaults(set),
        ]);
        (0, payments_ts_1.requireOpen)(payment);
        (0, read_call_ts_1.requireVersion)(payment, headers);
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
        (0, problem_ts_1.throwFaults)((0, read_call_ts_1.readBody)(body || '{}', headers, 'cancellation').faults);
        const payment = this.ownPayment(id);
        if (payment.status === 'CANCELLED')
            return this.shown(payment);
        (0, payments_ts_1.requireOpen)(payment);
        (0, read_call_ts_1.requireVersion)(payment, headers);
        this.#parts.payments.apply(payment, 'CANCELLED_BY_MERCHANT');
        return this.shown(payment);
    }
    simulate({ id, body, headers }) {
        const { outcome, reason } = (0, read_call_ts_1.readSimulation)(body, headers, 'simulation');
        const payment = this.ownPayment(id);
        if (outcome === 'EXPIRED')
            this.#parts.payments.expireNow(payment);
        else if (STATUS_CAUSES[outcome] === undefined)
            this.moveMoney(payment, outcome);
        else if (!this.#parts.payments.apply(payment, STATUS_CAUSES[outcome], reason))
            (0, payments_ts_1.requireOpen)(payment);
        return this.shown(payment, 202);
    }
    moveMoney(payment, outcome) {
        const { sums } = payment;
        if (outcome === 'PART_PAYMENT') {
            if (payment.payment)
                throw new problem_ts_1.Problem('ALREADY_PAID');
            const cents = Math.floor((payment.amountCents - (0, payments_ts_1.heldCents)(payment)) / 2);
            const rule = 'PART_PAYMENT while at least 0.02 are missing';
            (0, problem_ts_1.throwFaults)(cents > 0 ? [] : [find.fault('outcome', 'INVALID_VALUE', rule)]);
            sums.received += cents;
            payment.version += 1;
            return;
        }
        const cents = sums.received - sums.returned;
        if (outcome === 'SECOND_PAYMENT' ? !payment.payment : cents <= 0)
            throw new problem_ts_1.Problem('NOT_PAID');
        if (outcome === 'SECOND_PAYMENT')
            return;
        sums.returned += cents;
        payment.version += 1;
        if (payment.payment)
            this.#parts.payments.emit(payment, 'PAYMENT-RETURNED');
        this.#parts.refunds.failUncovered(payment);
    }
    createRefund({ id, body, headers }) {
        const { members, faults } = (0, read_call_ts_1.readBody)(body || '{}', headers, 'refund');
        const isNamed = members.merchantRefundId !== undefined || headers.has('idempotency-key');
        const rule = 'or the header Idempotency-Key';
        if (!isNamed)
            faults.push(find.fault('merchantRefundId', 'REQUIRED_ONE_OF', rule));
        const payment = this.#parts.payments.all.find((each) => each.id === id);
        const { refund, isNew } = this.#parts.refunds.add(payment, members, body, faults);
        return this.shownRefund(refund, isNew ? 201 : 200);
    }
    simulateRefund({ id, body, headers }) {
        const { outcome, reason } = (0, read_call_ts_1.readSimulation)(body, headers, 'refundSimulation');
        const found = this.ownRefund(id);
        const cause = REFUND_CAUSES[outcome] ?? '';
        if (!this.#parts.refunds.apply(found, cause, reason ?? 'NETWORK_REJECTED')) {
            const detail = `The refund is ${found.status}, and cannot become ${outcome}.`;
            throw new problem_ts_1.Problem('REFUND_OUTCOME_IMPOSSIBLE', { detail });
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
            throw new problem_ts_1.Problem('PAYMENT_REQUEST_NOT_FOUND');
        return found;
    }
    ownRefund(id) {
        const found = this.#parts.refunds.all.find((each) => each.id === id);
        if (!found)
            throw new problem_ts_1.Problem('REFUND_NOT_FOUND');
        return found;
    }
}
function createRoutes(parts) {
    const { payments, refunds, origin } = parts;
    const changes = new Changes(parts);
    const listRefunds = (call, all) => (0, lists_ts_1.list)(call, origin, all, 'refundList', lists_ts_1.membersOfRefund, (each) => refunds.render(each));
    return {
        'POST /payment-requests': (call) => changes.create(call),
        'GET /payment-requests': (call) => (0, lists_ts_1.list)(call, origin, payments.all, 'list', lists_ts_1.membersOfPayment, (each) => payments.render(each)),
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
