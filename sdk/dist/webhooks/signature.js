"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.signWebhook = signWebhook;
exports.newSigningSecret = newSigningSecret;
exports.basicCredentials = basicCredentials;
exports.areEqual = areEqual;
exports.bytes = bytes;
exports.base64 = base64;
const invalid_argument_error_ts_1 = require("../errors/invalid-argument-error.js");
async function signWebhook(signingSecret, { id, timestamp, body }) {
    const key = await importKey(readKey(signingSecret));
    const signed = concat(bytes(`${id}.${timestamp}.`), body);
    return `v1,${base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, signed)))}`;
}
const LEAST_KEY_BYTES = 16;
function readKey(signingSecret) {
    let key;
    try {
        key = unbase64(signingSecret.replace(/^whsec_/, ''));
    }
    catch {
        throw new invalid_argument_error_ts_1.InvalidArgumentError('The signing secret is whsec_ and a key in base64.');
    }
    if (key.length >= LEAST_KEY_BYTES)
        return key;
    throw new invalid_argument_error_ts_1.InvalidArgumentError(`The signing secret has a key of fewer than ${LEAST_KEY_BYTES} bytes.`);
}
function newSigningSecret() {
    return `whsec_${base64(crypto.getRandomValues(new Uint8Array(32)))}`;
}
function basicCredentials(username, password) {
    return `Basic ${base64(bytes(`${username}:${password}`))}`;
}
async function areEqual(one, other) {
    const key = await importKey(crypto.getRandomValues(new Uint8Array(32)));
    const [a, b] = await Promise.all([
        crypto.subtle.sign('HMAC', key, bytes(one)),
        crypto.subtle.sign('HMAC', key, bytes(other)),
    ]);
    const left = new Uint8Array(a);
    return new Uint8Array(b).every((byte, at) => byte === left[at]);
}
function bytes(value) {
    return typeof value === 'string' ? new TextEncoder().encode(value) : Uint8Array.from(value);
}
function base64(value) {
    return btoa(String.fromCharCode(...value));
}
function importKey(raw) {
    return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}
function unbase64(text) {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
function concat(one, other) {
    const joined = new Uint8Array(one.length + other.length);
    joined.set(one);
    joined.set(other, one.length);
    return joined;
}
