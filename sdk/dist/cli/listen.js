"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.listen = exports.EVENT_TYPES = void 0;
const node_crypto_1 = require("node:crypto");
const signature_ts_1 = require("../webhooks/signature.js");
const align_columns_ts_1 = require("./align-columns.js");
const follow_feed_ts_1 = require("./follow-feed.js");
const listen_cursor_ts_1 = require("./listen-cursor.js");
const merchant_access_ts_1 = require("./merchant-access.js");
const merchant_api_ts_1 = require("./merchant-api.js");
const post_webhook_ts_1 = require("./post-webhook.js");
const tool_ts_1 = require("./tool.js");
exports.EVENT_TYPES = {
    'PAYMENT-COMPLETED': true,
    'PAYMENT-FAILED': true,
    'PAYMENT-RETURNED': false,
    'REFUND-COMPLETED': false,
    'REFUND-FAILED': false,
    'MESSAGE-UNDELIVERED': false,
};
const KNOWN_TYPES = Object.keys(exports.EVENT_TYPES);
const UNASKED_TYPES = Object.entries(exports.EVENT_TYPES).flatMap(([type, isShown]) => isShown ? [type] : []);
exports.listen = (0, tool_ts_1.defineTool)({
    name: 'listen',
    summary: 'follow the events of a merchant and forward each event, as a webhook, to a listener on ' +
        'this machine; needs no public address and no settings. The listener verifies with the ' +
        'credentials that are printed; default: those of the local merchant, else new ones',
    inputs: {
        forwardTo: {
            placeholder: '<url>',
            summary: 'the URL of the listener',
            isRequired: true,
            read: post_webhook_ts_1.httpUrl,
        },
        events: (0, tool_ts_1.option)('<types>', `these event types, as in ${KNOWN_TYPES.join(',')}, or * for all; default: ` +
            UNASKED_TYPES.join(','), readTypes),
        after: (0, tool_ts_1.option)('<cursor>', 'begin after this place in the feed'),
        latest: (0, tool_ts_1.flag)('begin with the next event, not after the end of the last run'),
        json: (0, tool_ts_1.flag)('print one JSON document a line'),
        ...merchant_access_ts_1.ACCESS_INPUTS,
        ...merchant_access_ts_1.LISTENER_INPUTS,
    },
    async run(options, shell) {
        const { forwardTo, events: eventTypes } = options;
        const access = await (0, merchant_access_ts_1.readAccess)(options);
        const secrets = (await (0, merchant_access_ts_1.findListener)(options)) ?? sessionSecrets();
        const kept = (0, listen_cursor_ts_1.createListenCursor)(options.localDir, access);
        const after = options.after ?? ((!options.latest && (await kept.read())) || 'latest');
        const stopping = shell.interruption();
        const api = (0, merchant_api_ts_1.createMerchantApi)(access, stopping);
        const post = (0, post_webhook_ts_1.createWebhookPost)(forwardTo, await (0, merchant_access_ts_1.readLocalAuthority)(options));
        const say = speaker(shell, options.json);
        say({ type: 'started', forwardTo, listener: secrets });
        const onTrouble = (reason) => say({ type: 'trouble', reason });
        let hasBegun = false;
        const following = (0, follow_feed_ts_1.followFeed)(api, { after, eventTypes, signal: stopping, onTrouble });
        for await (const { events, cursor } of following) {
            if (!hasBegun)
                say({ type: 'listening', resumed: after !== 'latest' });
            hasBegun = true;
            for (const event of events) {
                if (stopping.aborted)
                    return null;
                const { id, body } = event;
                say(answered(event, await post(await (0, post_webhook_ts_1.webhookHeaders)(secrets, { id, body }), body)));
            }
            await kept.keep(cursor);
        }
        return null;
    },
});
function sessionSecrets() {
    return {
        username: 'payreq_listen',
        password: (0, node_crypto_1.randomBytes)(24).toString('base64url'),
        signingSecret: (0, signature_ts_1.newSigningSecret)(),
    };
}
function answered(event, posted) {
    return {
        type: 'forwarded',
        at: new Date().toISOString(),
        eventType: event.eventType,
        eventId: event.id,
        paymentRequestId: event.resource.paymentRequestId ?? event.resource.id,
        status: event.resource.status,
        answer: posted,
    };
}
function speaker({ stdout }, asJson) {
    return (said) => {
        stdout.write(`${asJson ? JSON.stringify(said) : inWords(said)}\n`);
    };
}
function inWords(said) {
    switch (said.type) {
        case 'started':
            return [
                `Forwarding to ${said.forwardTo}. Your listener verifies with`,
                `  username        ${said.listener.username}`,
                `  password        ${said.listener.password}`,
                `  signing secret  ${said.listener.signingSecret}`,
            ].join('\n');
        case 'listening':
            return said.resumed
                ? 'Going on where the last run ended (--latest skips what came since). Ctrl-C ends.'
                : 'Waiting for events. Ctrl-C ends.';
        case 'trouble':
            return `The service cannot be followed: ${said.reason}. Trying again.`;
        case 'forwarded': {
            const { status, text, durationMs } = said.answer;
            const about = `${said.eventType} ${said.status} ${said.paymentRequestId}`;
            const answer = `${status ?? 'no answer'} ${text} (${durationMs} ms)`;
            return (0, align_columns_ts_1.withoutControls)(`${said.at.slice(11, 19)}  ${about}  →  ${answer}`);
        }
    }
}
function readTypes(text) {
    const asked = text.split(',').map((part) => part.trim());
    if (text === '*' || asked.every((type) => KNOWN_TYPES.includes(type)))
        return asked;
    throw new tool_ts_1.InputFault(`Give *, or some of ${KNOWN_TYPES.join(', ')}, separated by commas.`);
}
