"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readInstant = readInstant;
exports.fault = fault;
exports.firstFaults = firstFaults;
exports.findFaults = findFaults;
exports.dropAbsent = dropAbsent;
exports.unknownFaults = unknownFaults;
exports.isMembers = isMembers;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
function readInstant(text) {
    if (typeof text !== 'string' || !INSTANT.test(text))
        return null;
    const at = Date.parse(text.toUpperCase().replace(' ', 'T'));
    return Number.isNaN(at) ? null : at;
}
function fault(field, code, rule) {
    return { field, code, message: `Give ${field === '' ? 'the body' : field} ${rule}.` };
}
function firstFaults(faults) {
    const fields = new Set();
    return faults.filter(({ field }) => !fields.has(field) && fields.add(field));
}
function findFaults(value, schema, field = '') {
    const types = [schema.type ?? []].flat();
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
        return [fault(field, 'INVALID_TYPE', `as ${types.join(' or ')}`)];
    }
    const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
    if (values && !values.includes(value)) {
        return [fault(field, 'INVALID_VALUE', `as ${values.join(' or ')}`)];
    }
    if (typeof value === 'string')
        return textFaults(value, schema, field);
    if (typeof value === 'number')
        return numberFaults(value, schema, field);
    if (Array.isArray(value))
        return listFaults(value, schema, field);
    return isMembers(value) ? memberFaults(value, schema, field) : [];
}
function dropAbsent(value, schema) {
    if (!isMembers(value) || !schema.properties)
        return;
    for (const [name, member] of Object.entries(value)) {
        const isEmpty = member === '' && !schema.required?.includes(name);
        if (member === null || isEmpty)
            delete value[name];
        else
            dropAbsent(member, schema.properties[name] ?? {});
    }
}
function unknownFaults(value, schema, path = '') {
    const { properties } = schema;
    if (!isMembers(value) || !properties)
        return [];
    return Object.entries(value).flatMap(([name, member]) => {
        const here = path + name;
        if (Object.hasOwn(properties, name)) {
            return unknownFaults(member, properties[name] ?? {}, `${here}.`);
        }
        return [
            { field: here, code: 'UNKNOWN_FIELD', message: `${here} is not a field of this call.` },
        ];
    });
}
function isMembers(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function isOfType(value, type) {
    if (type === 'integer')
        return Number.isInteger(value);
    if (type === 'array')
        return Array.isArray(value);
    if (type === 'null')
        return value === null;
    return type === 'object' ? isMembers(value) : typeof value === type;
}
function textFaults(text, schema, field) {
    const length = [...text].length;
    const { minLength = 0, maxLength = Infinity, pattern, format } = schema;
    if (length < minLength)
        return [fault(field, 'TOO_SHORT', `at least ${minLength} characters`)];
    if (length > maxLength)
        return [fault(field, 'TOO_LONG', `at most ${maxLength} characters`)];
    const isDate = DATE.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text);
    const isRight = (pattern === undefined || new RegExp(pattern, 'u').test(text)) &&
        (format !== 'date' || isDate) &&
        (format !== 'date-time' || readInstant(text) !== null);
    return isRight ? [] : [fault(field, 'INVALID_FORMAT', 'in the documented form')];
}
function numberFaults(value, schema, field) {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum)
        return [fault(field, 'TOO_LOW', `as at least ${minimum}`)];
    return value > maximum ? [fault(field, 'TOO_HIGH', `as at most ${maximum}`)] : [];
}
function listFaults(list, schema, field) {
    const { maxItems = Infinity, uniqueItems, items = {} } = schema;
    const faults = list.flatMap((item, index) => findFaults(item, items, `${field}.${index}`));
    if (list.length > maxItems)
        faults.push(fault(field, 'TOO_LONG', `at most ${maxItems} members`));
    if (uniqueItems && new Set(list).size < list.length) {
        faults.push(fault(field, 'INVALID_VALUE', 'no member twice'));
    }
    return faults;
}
function memberFaults(value, schema, field) {
    const path = field === '' ? '' : `${field}.`;
    const { properties = {}, required = [], additionalProperties = true } = schema;
    const { maxProperties = Infinity, propertyNames, patternProperties = {} } = schema;
    const others = [...Object.values(patternProperties)];
    if (typeof additionalProperties === 'object')
        others.push(additionalProperties);
    const faults = required
        .filter((name) => value[name] === undefined)
        .map((name) => fault(path + name, 'REQUIRED', 'too'));
    if (Object.keys(value).length > maxProperties) {
        faults.push(fault(field, 'TOO_LONG', `at most ${maxProperties} members`));
    }
    for (const [name, member] of Object.entries(value)) {
        const here = path + name;
        const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
        if (own)
            faults.push(...findFaults(member, own, here));
        else if (additionalProperties === false)
            faults.push(...unknownFaults({ [name]: 0 }, schema, path));
        else
            for (const other of others)
                faults.push(...findFaults(member, other, here));
        const isKeyRight = !propertyNames || findFaults(name, propertyNames).length === 0;
        if (!isKeyRight)
            faults.push(fault(here, 'INVALID_FORMAT', 'a key of an allowed length'));
    }
    return faults;
}
