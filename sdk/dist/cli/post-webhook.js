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
exports.LONGEST_EXCHANGE_SECONDS = void 0;
exports.webhookHeaders = webhookHeaders;
exports.nowSeconds = nowSeconds;
exports.httpUrl = httpUrl;
exports.createWebhookPost = createWebhookPost;
const node_http_1 = require("node:http");
const node_https_1 = require("node:https");
const node_stream_1 = require("node:stream");
const promises_1 = require("node:stream/promises");
const tls = __importStar(require("node:tls"));
const signature_ts_1 = require("../webhooks/signature.js");
const tool_ts_1 = require("./tool.js");
exports.LONGEST_EXCHANGE_SECONDS = 15;
const MOST_BODY_BYTES = 16_384;
const MOST_SHOWN_CHARACTERS = 200;
async function webhookHeaders({ username, password, signingSecret }, { id, body, timestamp = nowSeconds() }) {
    const signed = { id, timestamp: String(timestamp), body: (0, signature_ts_1.bytes)(body) };
    return {
        authorization: (0, signature_ts_1.basicCredentials)(username, password),
        'content-type': 'application/json',
        'user-agent': 'payreq',
        'webhook-id': id,
        'webhook-timestamp': signed.timestamp,
        'webhook-signature': await (0, signature_ts_1.signWebhook)(signingSecret, signed),
    };
}
function nowSeconds() {
    return Math.floor(Date.now() / 1000);
}
function httpUrl(text) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url && /^https?:$/.test(url.protocol) && !url.username)
        return url.href;
    throw new tool_ts_1.InputFault('Give an address that begins with http:// or https://.');
}
function createWebhookPost(url, caPem, timeoutSeconds = exports.LONGEST_EXCHANGE_SECONDS) {
    const isHttps = url.startsWith('https:');
    const request = isHttps ? node_https_1.request : node_http_1.request;
    const once = { keepAlive: false };
    const ca = caPem === null ? undefined : [...systemAuthorities(), caPem];
    const agent = isHttps ? new node_https_1.Agent({ ...once, ...(ca && { ca }) }) : new node_http_1.Agent(once);
    async function exchange(headers, body) {
        const signal = AbortSignal.timeout(timeoutSeconds * 1000);
        const length = typeof body === 'string' && { 'content-length': Buffer.byteLength(body) };
        const options = { method: 'POST', headers: { ...headers, ...length }, agent, signal };
        const sent = request(url, options);
        const answered = new Promise((resolve, reject) => {
            sent.once('response', resolve).once('error', reject);
        });
        (0, promises_1.pipeline)(node_stream_1.Readable.from(typeof body === 'string' ? [body] : body), sent).catch(() => { });
        try {
            const answer = await answered;
            return { status: answer.statusCode ?? null, text: await readBeginning(answer) };
        }
        catch (error) {
            throw signal.aborted ? signal.reason : error;
        }
        finally {
            sent.destroy();
        }
    }
    return async (headers, body) => {
        const startedMs = performance.now();
        const ended = (status, text, isTooSlow = false) => ({
            status,
            isTooSlow,
            text: text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_SHOWN_CHARACTERS),
            durationMs: Math.round(performance.now() - startedMs),
        });
        try {
            const { status, text } = await exchange(headers, body);
            return ended(status, text);
        }
        catch (error) {
            const isTooSlow = error instanceof Error && error.name === 'TimeoutError';
            const reason = isTooSlow ? `no answer within ${timeoutSeconds} s` : reasonOf(error);
            return ended(null, reason, isTooSlow);
        }
    };
}
function systemAuthorities() {
    return tls.getCACertificates?.('default') ?? tls.rootCertificates;
}
async function readBeginning(body) {
    const chunks = [];
    let length = 0;
    for await (const chunk of body) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > MOST_BODY_BYTES)
            break;
    }
    return Buffer.concat(chunks).toString('utf8');
}
function reasonOf(error) {
    if (!(error instanceof Error))
        return String(error);
    const code = 'code' in error ? String(error.code) : '';
    return error.message || code || error.name;
}
