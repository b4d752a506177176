"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Problem = void 0;
exports.throwFaults = throwFaults;
exports.problemAnswer = problemAnswer;
const find_faults_ts_1 = require("./find-faults.js");
const tables_ts_1 = require("./tables.js");
class Problem extends Error {
    code;
    faults;
    detail;
    constructor(code, { faults = [], detail } = {}) {
        super(code);
        this.code = code;
        this.faults = (0, find_faults_ts_1.firstFaults)(faults);
        this.detail = detail;
    }
}
exports.Problem = Problem;
function throwFaults(faults) {
    if (faults.length > 0)
        throw new Problem('VALIDATION_ERROR', { faults });
}
function problemAnswer({ code, faults, detail }, origin, now) {
    const [status, title, sentence] = tables_ts_1.PROBLEMS[code] ?? [500, code, code];
    const requestId = crypto.randomUUID();
    const errors = faults.map((each) => ({ ...each, pointer: pointerOf(each.field) }));
    const body = {
        type: `${origin}/problems/${code.toLowerCase().replaceAll('_', '-')}`,
        title,
        status,
        detail: detail ?? (errors.length > 0 ? 'Fields are invalid.' : sentence),
        instance: `urn:uuid:${crypto.randomUUID()}`,
        code,
        requestId,
        timestamp: now.toISOString(),
        ...(errors.length > 0 && { errors }),
    };
    const headers = {
        'content-type': 'application/problem+json; charset=utf-8',
        'x-request-id': requestId,
    };
    if (code === 'RATE_LIMITED')
        headers['retry-after'] = '1';
    if (code === 'TEMPORARILY_UNAVAILABLE')
        headers['retry-after'] = '2';
    return new Response(JSON.stringify(body), { status, headers });
}
function pointerOf(field) {
    return field === '' ? '' : `/${field.split('.').join('/')}`;
}
