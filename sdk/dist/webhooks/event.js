"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.isRefundEvent = isRefundEvent;
function isRefundEvent(event) {
    return event.resourceType === 'Payments API';
}
