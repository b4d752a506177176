import { firstFaults } from './find-faults.js';
import { PROBLEMS } from './tables.js';
export class Problem extends Error {
    code;
    faults;
    detail;
    constructor(code, { faults = [], detail } = {}) {
        super(code);
        this.code = code;
        this.faults = firstFaults(faults);
        this.detail = detail;
    }
}
export function throwFaults(faults) {
    if (faults.length > 0)
        throw new Problem('VALIDATION_ERROR', { faults });
}
export function problemAnswer({ code, faults, detail }, origin, now) {
    const [status, title, sentence] = PROBLEMS[code] ?? [500, code, code];
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
