import { amountToCents, centsToAmount } from '../amounts.js';
export function writeNewPaymentRequest({ amount, type = 'ECOMM', ...others }) {
    const rest = JSON.stringify({ type, ...others });
    return `{"amount":${centsToAmount(amountToCents(amount))},${rest.slice(1)}`;
}
