export function isRefundEvent(event) {
    return event.resourceType === 'Payments API';
}
