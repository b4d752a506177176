import { centsToAmount } from '../amounts.js';
import { amountFaults, amountOf, decimal } from './amounts.js';
import { codesOf, currencyFaults, isText, secondsOf, urlFaults } from './creation-rules.js';
import { fault } from './find-faults.js';
import { availableCents } from './payments.js';
import { Problem, throwFaults } from './problem.js';
import { EVENT_TYPES, LIMITS, REFUND_STATUS_REASONS, REFUND_TRANSITIONS } from './tables.js';
const sumOf = (status) => status === 'FAILED' ? null : status === 'COMPLETED' ? 'refunded' : 'refunding';
export class Refunds {
    all = [];
    #context;
    constructor(context) {
        this.#context = context;
    }
    add(payment, fields, sent, faults) {
        const { merchantRefundId: own } = fields;
        const known = own === undefined ? undefined : this.all.find((each) => each.fields.merchantRefundId === own);
        if (known) {
            if (known.payment === payment && known.sent === sent)
                return { refund: known, isNew: false };
            throw new Problem('DUPLICATE_MERCHANT_REFUND_ID');
        }
        const { amount: asked, expectedAmountAvailable } = fields;
        const most = LIMITS.mostRefundCents;
        const amount = amountOf(asked, 'amount', 1, most);
        const expected = amountOf(expectedAmountAvailable, 'expectedAmountAvailable', 0, most);
        const plan = planOf(fields.message);
        throwFaults([
            ...faults,
            ...amountFaults(amount, expected),
            ...currencyFaults(fields, this.#context.currency),
            ...(plan ? [] : [fault('message', 'INVALID_VALUE', 'with the parameter of this name')]),
            ...urlFaults(fields),
        ]);
        if (!payment)
            throw new Problem('PAYMENT_REQUEST_NOT_FOUND');
        if (!payment.payment || !plan)
            throw new Problem('NOT_PAID');
        const available = availableCents(payment);
        if (expected !== null && expected !== available) {
            const detail = `${centsToAmount(available)} is available, not expectedAmountAvailable.`;
            throw new Problem('REFUND_AMOUNT_MISMATCH', { detail });
        }
        const amountCents = typeof amount === 'number' ? amount : available;
        if (amountCents > available || amountCents === 0)
            throw new Problem('REFUND_AMOUNT_EXCEEDED');
        const createdDateTime = this.#context.schedule.now().toISOString();
        const refund = {
            ...{ id: crypto.randomUUID(), payment, fields, amountCents, createdDateTime, sent },
            ...{ status: 'CREATED', reason: null, paid: null, version: 1 },
            events: [{ status: 'CREATED', dateTime: createdDateTime }],
        };
        payment.sums.refunding += amountCents;
        payment.version += 1;
        this.all.push(refund);
        this.#run(refund, plan);
        return { refund, isNew: true };
    }
    #run(refund, { seconds, failsWith, isReturned }) {
        const later = (delay, from, work) => this.#context.schedule.at(this.#context.schedule.now().getTime() + delay * 1000, () => {
            if (refund.status === from)
                work();
        });
        const first = Math.min(LIMITS.handOverSeconds, seconds);
        later(first, 'CREATED', () => {
            this.apply(refund, 'HANDED_OVER');
            later(seconds - first, 'PROCESSING', () => {
                if (failsWith)
                    return void this.apply(refund, 'REFUSED', failsWith);
                this.apply(refund, 'EXECUTED');
                if (isReturned)
                    later(seconds, 'COMPLETED', () => void this.apply(refund, 'MONEY_CAME_BACK'));
            });
        });
    }
    apply(refund, cause, asked = null) {
        const isFirst = cause === 'MONEY_CAME_BACK' && refund.status === 'CREATED';
        if (isFirst)
            this.apply(refund, 'HANDED_OVER');
        const row = REFUND_TRANSITIONS.find(([from, by]) => from === refund.status && by === cause);
        if (!row)
            return false;
        const [, , to, reason, webhook] = row;
        const { payment, amountCents } = refund;
        const now = this.#context.schedule.now().toISOString();
        const [before, after] = [sumOf(refund.status), sumOf(to)];
        if (before)
            payment.sums[before] -= amountCents;
        if (after)
            payment.sums[after] += amountCents;
        if (before !== after)
            payment.version += 1;
        if (cause === 'EXECUTED') {
            const networkReference = `SIM-R${refund.id.slice(-12).toUpperCase()}`;
            refund.paid = { networkReference, completedDateTime: now };
        }
        refund.status = to;
        refund.reason = reason === 'SET' ? asked : reason;
        refund.version += 1;
        refund.events.push({ status: to, dateTime: now });
        if (!webhook)
            return true;
        payment.sequence += 1;
        this.#context.emit({
            type: webhook,
            message: EVENT_TYPES[webhook][3] ?? REFUND_STATUS_REASONS[refund.reason ?? ''] ?? '',
            resource: this.render(refund),
            sequence: payment.sequence,
            ownUrl: refund.fields.webhookUrl,
            misbehaviour: undefined,
        });
        return true;
    }
    failUncovered(payment) {
        const waiting = this.all.filter((each) => each.payment === payment && each.status === 'CREATED');
        for (const refund of waiting)
            this.apply(refund, 'PAYMENT_RETURNED');
    }
    render({ id, payment, fields, reason, ...refund }) {
        const { currency, origin } = this.#context;
        return {
            ...{ id, paymentRequestId: payment.id, merchantRefundId: fields.merchantRefundId },
            reason: fields.reason ?? 'REQUESTED_BY_CUSTOMER',
            ...{ message: fields.message, webhookUrl: fields.webhookUrl },
            ...{ amount: decimal(refund.amountCents), currency, status: refund.status },
            statusReason: reason ? { code: reason, message: REFUND_STATUS_REASONS[reason] } : undefined,
            payment: refund.paid ?? undefined,
            createdDateTime: refund.createdDateTime,
            events: refund.events,
            links: [
                { rel: 'refund', href: `${origin}/v1/refunds/${id}` },
                { rel: 'payment-request', href: `${origin}/v1/payment-requests/${payment.id}` },
            ],
        };
    }
}
function planOf(message) {
    const [name = '', ...parameters] = isText(message) ? message.split(':') : [];
    if (!/^refund(Fail|Slow|Returned)$/.test(name)) {
        return { seconds: LIMITS.outcomeSeconds, failsWith: null, isReturned: false };
    }
    const [code, ...rest] = name === 'refundFail' ? parameters : [null, ...parameters];
    const seconds = secondsOf(rest);
    if (seconds === null || (name === 'refundSlow' && rest.length === 0))
        return null;
    if (name === 'refundFail' && !codesOf('refundSimulation').includes(code))
        return null;
    return { seconds, failsWith: code ?? null, isReturned: name === 'refundReturned' };
}
