"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createCalls = createCalls;
const amounts_ts_1 = require("./amounts.js");
const changes_ts_1 = require("./changes.js");
const problem_ts_1 = require("./problem.js");
const tables_ts_1 = require("./tables.js");
const PATH_WITH_ID = /^((?:\/sandbox)?\/(?:payment-requests|refunds)\/)([^/]+)(.*)$/;
const TOKEN_SECONDS = tables_ts_1.LIMITS.accessTokenSeconds;
const KEY_MS = 72 * 3_600_000;
function createCalls(parts) {
    const { schedule, origin, apiKey } = parts;
    const routes = (0, changes_ts_1.createRoutes)(parts);
    const access = createAccess(schedule, apiKey);
    const kept = new Map();
    async function answer(request) {
        const url = new URL(request.url);
        if (url.pathname === '/oauth2/token')
            return access.newToken();
        access.check(request.headers);
        const path = url.pathname.replace(/^\/v1/, '');
        const [, before = path, id = '', behind = ''] = PATH_WITH_ID.exec(path) ?? [];
        const name = `${request.method} ${before}${id && ':id'}${behind}`;
        const work = routes[name];
        const isCsv = request.headers.get('accept')?.startsWith('text/csv');
        if (!work || isCsv) {
            const detail = `The service of tests has no ${name}${isCsv ? ' as CSV' : ''}.`;
            throw new problem_ts_1.Problem('ROUTE_NOT_FOUND', { detail });
        }
        const { method, headers } = request;
        const call = { method, path, query: url.searchParams, headers, body: await request.text(), id };
        const key = headers.get('idempotency-key');
        if (method !== 'POST' || key === null)
            return write(await work(call), headers);
        const asked = `${path} ${call.body}`;
        const now = schedule.now().getTime();
        const known = kept.get(key);
        if (known && known.untilMs > now) {
            if (known.asked !== asked)
                throw new problem_ts_1.Problem('IDEMPOTENCY_KEY_REUSED');
            return write(known.answered, headers, { 'idempotency-replayed': 'true' });
        }
        const { body, ...rest } = await work(call);
        const answered = { ...rest, body: structuredClone(body) };
        kept.set(key, { asked, untilMs: now + KEY_MS, answered });
        return write(answered, headers);
    }
    return async (input, init) => {
        try {
            return await answer(new Request(input, init));
        }
        catch (error) {
            if (error instanceof problem_ts_1.Problem)
                return (0, problem_ts_1.problemAnswer)(error, origin, schedule.now());
            throw error;
        }
    };
}
function createAccess(schedule, apiKey) {
    const tokens = new Map();
    function newToken() {
        const token = crypto.randomUUID();
        tokens.set(token, schedule.now().getTime() + TOKEN_SECONDS * 1000);
        const members = { token_type: 'Bearer', expires_in: TOKEN_SECONDS };
        return Response.json({ access_token: token, ...members, scope: 'payment_request/all' });
    }
    function check(headers) {
        if (headers.get('x-api-key') !== apiKey)
            throw new problem_ts_1.Problem('API_KEY_INVALID');
        const endsAt = tokens.get(headers.get('authorization')?.replace(/^Bearer /, '') ?? '');
        if (endsAt === undefined)
            throw new problem_ts_1.Problem('ACCESS_TOKEN_INVALID');
        if (endsAt <= schedule.now().getTime())
            throw new problem_ts_1.Problem('ACCESS_TOKEN_EXPIRED');
    }
    return { newToken, check };
}
function write(answered, asked, more = {}) {
    const { status, body, version } = answered;
    const etag = `"${version}"`;
    const headers = {
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': crypto.randomUUID(),
        ...(version !== undefined && { etag }),
        ...more,
    };
    const isKnown = version !== undefined && asked.get('if-none-match')?.split(/, */).includes(etag);
    if (isKnown)
        return new Response(null, { status: 304, headers });
    return new Response((0, amounts_ts_1.writeJson)(body), { status, headers });
}
