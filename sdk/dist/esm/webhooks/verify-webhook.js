import { InvalidArgumentError } from '../errors/invalid-argument-error.js';
import { PaymentRequestsError } from '../errors/payment-requests-error.js';
import { areEqual, basicCredentials, bytes, signWebhook } from './signature.js';
export class WebhookVerificationError extends PaymentRequestsError {
    static errorName = 'WebhookVerificationError';
    constructor(code, message) {
        super(code, message);
    }
}
const TOLERANCE_SECONDS = 300;
const MOST_SIGNATURES = 8;
export async function verifyWebhook(webhook, credentials, { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = {}) {
    if (typeof webhook.body !== 'string' && !(webhook.body instanceof Uint8Array)) {
        throw new InvalidArgumentError('Give the body as it arrived: text or bytes, before any parsing.');
    }
    await verifyCredentials(webhook, credentials);
    const id = header(webhook, 'webhook-id');
    const timestamp = header(webhook, 'webhook-timestamp');
    const signatures = header(webhook, 'webhook-signature');
    if (!id || !timestamp || !signatures) {
        throw new WebhookVerificationError('SIGNATURE_MISSING', 'A webhook header is missing.');
    }
    const body = bytes(webhook.body);
    const secrets = [credentials.signingSecret].flat();
    if (!(await isSigned({ id, timestamp, body }, signatures, secrets))) {
        throw new WebhookVerificationError('SIGNATURE_WRONG', 'No signature fits the body.');
    }
    const ageSeconds = now.getTime() / 1000 - Number(timestamp);
    if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
        throw new WebhookVerificationError('TIMESTAMP_OUT_OF_TOLERANCE', 'The webhook was signed too long ago, or for a time to come.');
    }
    return readEvent(body, id);
}
async function verifyCredentials(webhook, { username, password }) {
    const authorization = header(webhook, 'authorization');
    if (!authorization) {
        throw new WebhookVerificationError('CREDENTIALS_MISSING', 'There are no Basic credentials.');
    }
    const shown = authorization.replace(/^basic +/i, 'Basic ');
    if (!(await areEqual(shown, basicCredentials(username, password)))) {
        throw new WebhookVerificationError('CREDENTIALS_WRONG', 'The Basic credentials are wrong.');
    }
}
async function isSigned(message, signatures, secrets) {
    const given = signatures.split(' ').slice(0, MOST_SIGNATURES);
    for (const secret of secrets) {
        const wanted = await signWebhook(secret, message);
        for (const signature of given)
            if (await areEqual(signature, wanted))
                return true;
    }
    return false;
}
function readEvent(body, id) {
    try {
        const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
        if (event.id === id && typeof event.resource?.status === 'string')
            return event;
    }
    catch {
    }
    throw new WebhookVerificationError('BODY_INVALID', 'The body is not a webhook event.');
}
function header({ headers }, name) {
    if (typeof headers.get === 'function')
        return headers.get(name) ?? undefined;
    const record = headers;
    const value = record[name] ?? record[Object.keys(record).find((key) => key.toLowerCase() === name) ?? ''];
    return typeof value === 'string' ? value : value?.[0];
}
