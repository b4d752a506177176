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
exports.readBody = readBody;
exports.parse = parse;
exports.readSimulation = readSimulation;
exports.readQuery = readQuery;
exports.requireVersion = requireVersion;
exports.merge = merge;
const find = __importStar(require("./find-faults.js"));
const problem_ts_1 = require("./problem.js");
const tables_ts_1 = require("./tables.js");
function readBody(text, headers, name) {
    const members = parse(text);
    const schema = tables_ts_1.SCHEMAS[name];
    find.dropAbsent(members, schema);
    const isStrict = /\bhandling\s*=\s*"?strict/i.test(headers.get('prefer') ?? '');
    const unknown = isStrict ? find.unknownFaults(members, schema) : [];
    return { members, faults: [...find.findFaults(members, schema), ...unknown] };
}
function parse(text) {
    let value;
    try {
        value = JSON.parse(text, (name, member) => (name === '__proto__' ? JSON.parse('') : member));
    }
    catch {
        throw new problem_ts_1.Problem('MALFORMED_JSON');
    }
    if (find.isMembers(value))
        return value;
    throw new problem_ts_1.Problem('VALIDATION_ERROR', {
        faults: [find.fault('', 'INVALID_TYPE', 'as an object')],
    });
}
function readSimulation(text, headers, name) {
    const { members, faults } = readBody(text, headers, name);
    const { outcome, reason } = members;
    const isUseless = reason !== undefined && outcome !== 'FAILED';
    const rule = 'only with the outcome FAILED';
    (0, problem_ts_1.throwFaults)([...faults, ...(isUseless ? [find.fault('reason', 'INVALID_VALUE', rule)] : [])]);
    return { outcome, reason };
}
function readQuery(query, name) {
    const read = {};
    for (const [key, value] of query) {
        const isNumber = key === 'limit' && value !== '' && !Number.isNaN(Number(value));
        if (key === 'status')
            read[key] = query.getAll(key).flatMap((each) => each.split(','));
        else
            read[key] = isNumber ? Number(value) : value;
    }
    const faults = find.findFaults(read, tables_ts_1.SCHEMAS[name]);
    (0, problem_ts_1.throwFaults)(faults.map((each) => ({ ...each, field: each.field.replace(/\.\d+$/, '') })));
    if (typeof read.payerEmail === 'string')
        read.payerEmail = read.payerEmail.toLowerCase();
    if (typeof read.payerMobileNumber === 'string') {
        read.payerMobileNumber = read.payerMobileNumber.replace(/\D/g, '');
    }
    return read;
}
function requireVersion({ version }, headers) {
    const tags = headers
        .get('if-match')
        ?.split(',')
        .map((tag) => tag.trim());
    if (!tags || tags.includes('*') || tags.includes(`"${version}"`))
        return;
    throw new problem_ts_1.Problem('VERSION_MISMATCH');
}
function merge(fields, patch) {
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
