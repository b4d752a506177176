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
exports.membersOfRefund = exports.membersOfPayment = void 0;
exports.list = list;
const amounts_ts_1 = require("./amounts.js");
const find = __importStar(require("./find-faults.js"));
const problem_ts_1 = require("./problem.js");
const read_call_ts_1 = require("./read-call.js");
function list(call, origin, all, rulesName, membersOf, show) {
    const query = (0, read_call_ts_1.readQuery)(call.query, rulesName);
    const from = find.readInstant(query.createdFrom) ?? -Infinity;
    const to = find.readInstant(query.createdTo) ?? Infinity;
    const least = (0, amounts_ts_1.amountOf)(query.amountMin, 'amountMin') ?? 0;
    const most = (0, amounts_ts_1.amountOf)(query.amountMax, 'amountMax') ?? Infinity;
    (0, problem_ts_1.throwFaults)((0, amounts_ts_1.amountFaults)(least, most));
    const { status, limit = 20, cursor } = query;
    const statuses = status;
    const compared = Object.entries(query).filter(([name]) => !/^(status|limit|cursor|created|amount)/.test(name));
    const found = all.toReversed().filter((item) => {
        const members = membersOf(item);
        const at = Number(members.createdMs);
        const isInRange = at >= from && at < to;
        const isOfAmount = item.amountCents >= Number(least) && item.amountCents <= Number(most);
        const isOfStatus = statuses === undefined || statuses.includes(item.status);
        const isEqual = compared.every(([name, value]) => members[name] === value);
        return isInRange && isOfAmount && isOfStatus && isEqual;
    });
    const start = cursor === undefined ? 0 : found.findIndex(({ id }) => id === cursor) + 1;
    if (start === 0 && cursor !== undefined) {
        (0, problem_ts_1.throwFaults)([find.fault('cursor', 'INVALID_FORMAT', 'as the nextCursor of the page before')]);
    }
    const data = found.slice(start, start + Number(limit));
    const hasMore = found.length > start + data.length;
    const nextCursor = hasMore ? (data.at(-1)?.id ?? null) : null;
    const linkTo = (rel, asked) => {
        const text = asked.size > 0 ? `?${asked}` : '';
        return { rel, href: `${origin}/v1${call.path}${text}` };
    };
    const next = new URLSearchParams(call.query);
    if (nextCursor !== null)
        next.set('cursor', nextCursor);
    const links = [linkTo('self', call.query), ...(hasMore ? [linkTo('next', next)] : [])];
    return { status: 200, body: { data: data.map(show), hasMore, nextCursor, links } };
}
const membersOfPayment = (item) => {
    const { payer, ...fields } = item.fields;
    const reference = item.payment?.networkReference;
    return {
        ...fields,
        ...{ createdMs: item.createdMs, shortCode: item.shortCode, networkReference: reference },
        payerEmail: payer.email?.toString().toLowerCase(),
        payerMobileNumber: payer.mobileNumber?.toString().replace(/\D/g, ''),
    };
};
exports.membersOfPayment = membersOfPayment;
const membersOfRefund = (item) => ({
    ...item.fields,
    ...{ createdMs: Date.parse(item.createdDateTime), paymentRequestId: item.payment.id },
});
exports.membersOfRefund = membersOfRefund;
