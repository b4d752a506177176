import * as find from './find-faults.js';
import { Problem, throwFaults } from './problem.js';
import { SCHEMAS } from './tables.js';
export function readBody(text, headers, name) {
    const members = parse(text);
    const schema = SCHEMAS[name];
    find.dropAbsent(members, schema);
    const isStrict = /\bhandling\s*=\s*"?strict/i.test(headers.get('prefer') ?? '');
    const unknown = isStrict ? find.unknownFaults(members, schema) : [];
    return { members, faults: [...find.findFaults(members, schema), ...unknown] };
}
export function parse(text) {
    let value;
    try {
        value = JSON.parse(text, (name, member) => (name === '__proto__' ? JSON.parse('') : member));
    }
    catch {
        throw new Problem('MALFORMED_JSON');
    }
    if (find.isMembers(value))
        return value;
    throw new Problem('VALIDATION_ERROR', {
        faults: [find.fault('', 'INVALID_TYPE', 'as an object')],
    });
}
export function readSimulation(text, headers, name) {
    const { members, faults } = readBody(text, headers, name);
    const { outcome, reason } = members;
    const isUseless = reason !== undefined && outcome !== 'FAILED';
    const rule = 'only with the outcome FAILED';
    throwFaults([...faults, ...(isUseless ? [find.fault('reason', 'INVALID_VALUE', rule)] : [])]);
    return { outcome, reason };
}
export function readQuery(query, name) {
    const read = {};
    for (const [key, value] of query) {
        const isNumber = key === 'limit' && value !== '' && !Number.isNaN(Number(value));
        if (key === 'status')
            read[key] = query.getAll(key).flatMap((each) => each.split(','));
        else
            read[key] = isNumber ? Number(value) : value;
    }
    const faults = find.findFaults(read, SCHEMAS[name]);
    throwFaults(faults.map((each) => ({ ...each, field: each.field.replace(/\.\d+$/, '') })));
    if (typeof read.payerEmail === 'string')
        read.payerEmail = read.payerEmail.toLowerCase();
    if (typeof read.payerMobileNumber === 'string') {
        read.payerMobileNumber = read.payerMobileNumber.replace(/\D/g, '');
    }
    return read;
}
export function requireVersion({ version }, headers) {
    const tags = headers
        .get('if-match')
        ?.split(',')
        .map((tag) => tag.trim());
    if (!tags || tags.includes('*') || tags.includes(`"${version}"`))
        return;
    throw new Problem('VERSION_MISMATCH');
}
export function merge(fields, patch) {
    const merged = { ...fields };
    const { webhookUrl, callbackUrl } = fields;
    for (const [name, value] of Object.entries(patch)) {
        const isMerged = /^(payer|metadata)$/.test(name) && find.isMembers(value);
        const next = isMerged ? merge((merged[name] ?? {}), value) : value;
        if (next === null)
            delete merged[name];
        else
            merged[name] = next;
    }
    if (typeof patch.webhookUrl === 'string' && callbackUrl)
        delete merged.callbackUrl;
    else if (typeof patch.callbackUrl === 'string' && webhookUrl)
        delete merged.webhookUrl;
    return merged;
}
