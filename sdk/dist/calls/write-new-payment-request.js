"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.writeNewPaymentRequest = writeNewPaymentRequest;
const amounts_ts_1 = require("../amounts.js");
function writeNewPaymentRequest({ amount, type = 'ECOMM', ...others }) {
    const rest = JSON.stringify({ type, ...others });
    return `{"amount":${(0, amounts_ts_1.centsToAmount)((0, amounts_ts_1.amountToCents)(amount))},${rest.slice(1)}`;
}
