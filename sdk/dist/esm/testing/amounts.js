import { centsToAmount } from '../amounts.js';
import { fault } from './find-faults.js';
const MARK = crypto.randomUUID();
export function decimal(cents) {
    return MARK + centsToAmount(cents);
}
export function writeJson(value) {
    return JSON.stringify(value).replaceAll(new RegExp(`"${MARK}([\\d.]+)"`, 'g'), '$1');
}
export function readAmount(body, field, { least, mostCents }) {
    const [, source] = new RegExp(`"${field}"\\s*:\\s*(-?[\\d.eE+-]+)`).exec(body) ?? [];
    return source === undefined ? null : amountOf(source, field, least, mostCents);
}
export function amountOf(source, field, least = 1, mostCents = Number.MAX_SAFE_INTEGER) {
    const value = Number(source);
    if (Number.isNaN(value))
        return fault(field, 'INVALID_TYPE', 'as a number');
    if (value === 0 && least === 0)
        return 0;
    if (!(value > 0))
        return fault(field, 'TOO_LOW', `as at least 0.0${least}`);
    const [, decimals = ''] = source.split('.');
    if (/[1-9]/.test(decimals.slice(2))) {
        return fault(field, 'TOO_MANY_DECIMALS', 'with at most two decimals');
    }
    const cents = Math.round(value * 100);
    if (cents <= mostCents)
        return cents;
    return fault(field, 'TOO_HIGH', `as at most ${centsToAmount(mostCents)}`);
}
