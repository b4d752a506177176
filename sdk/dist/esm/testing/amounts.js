import { centsToAmount } from '../amounts.js';
import { fault } from './find-faults.js';
const MARK = crypto.randomUUID();
export function decimal(cents) {
    return MARK + centsToAmount(cents);
}
export function writeJson(value) {
    return JSON.stringify(value).replaceAll(new RegExp(`"${MARK}([\\d.]+)"`, 'g'), '$1');
}
export function amountOf(value, field, least = 1, mostCents = Number.MAX_SAFE_INTEGER) {
    if (value === undefined)
        return null;
    const amount = Number(value);
    if (Number.isNaN(amount))
        return fault(field, 'INVALID_TYPE', 'as a number');
    if (amount === 0 && least === 0)
        return 0;
    if (amount <= 0)
        return fault(field, 'TOO_LOW', `as at least 0.0${least}`);
    if (Number(amount.toFixed(2)) !== amount) {
        return fault(field, 'TOO_MANY_DECIMALS', 'with at most two decimals');
    }
    const cents = Math.round(amount * 100);
    if (cents <= mostCents)
        return cents;
    return fault(field, 'TOO_HIGH', `as at most ${centsToAmount(mostCents)}`);
}
export function amountFaults(...amounts) {
    return amounts.filter((each) => typeof each === 'object' && each !== null);
}
