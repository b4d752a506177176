"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.LISTENER_INPUTS = exports.ACCESS_INPUTS = exports.LOCAL_INPUTS = void 0;
exports.readAccess = readAccess;
exports.readListener = readListener;
exports.findListener = findListener;
exports.readLocalAuthority = readLocalAuthority;
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
const tool_ts_1 = require("./tool.js");
const environment = {
    placeholder: '<name>',
    summary: 'which of the local services is meant',
    choices: ['sandbox', 'production'],
    usual: 'sandbox',
};
const localDir = {
    placeholder: '<path>',
    summary: 'where npm start keeps credentials.json (env: LOCAL_DIR)',
    variable: 'LOCAL_DIR',
    usual: '.local',
};
exports.LOCAL_INPUTS = { environment, localDir };
exports.ACCESS_INPUTS = {
    ...exports.LOCAL_INPUTS,
    apiUrl: (0, tool_ts_1.option)('<url>', '{base_url} of a deployment other than the local one'),
    authUrl: (0, tool_ts_1.option)('<url>', '{auth_url}, the whole address of the token call'),
    username: (0, tool_ts_1.fromEnvironment)('PAYREQ_USERNAME', '<text>', 'of the API credentials'),
    password: (0, tool_ts_1.fromEnvironment)('PAYREQ_PASSWORD', '<text>', 'of the API credentials'),
    apiKey: (0, tool_ts_1.fromEnvironment)('PAYREQ_API_KEY', '<text>', 'of the API credentials'),
};
exports.LISTENER_INPUTS = {
    listenerUsername: (0, tool_ts_1.fromEnvironment)('PAYREQ_LISTENER_USERNAME', '<text>', 'of the listener'),
    listenerPassword: (0, tool_ts_1.fromEnvironment)('PAYREQ_LISTENER_PASSWORD', '<text>', 'of the listener'),
    signingSecret: (0, tool_ts_1.fromEnvironment)('PAYREQ_SIGNING_SECRET', '<whsec>', 'of the listener'),
};
async function readAccess(options) {
    const { apiUrl, authUrl, username, password, apiKey } = options;
    if (apiUrl !== null &&
        authUrl !== null &&
        username !== null &&
        password !== null &&
        apiKey !== null) {
        return { apiUrl, authUrl, username, password, apiKey };
    }
    const given = Object.entries({ apiUrl, authUrl, username, password, apiKey });
    const missing = given.filter(([, value]) => value === null).map(([name]) => name);
    if (missing.length < given.length) {
        throw new tool_ts_1.ToolFault('Give all of --api-url, --auth-url, --username, --password and --api-key, or none of them. ' +
            `Missing: ${missing.map(optionOf).join(', ')}.`);
    }
    const { baseUrl, ...rest } = (await readLocal(options))[options.environment];
    return { ...rest, apiUrl: baseUrl };
}
async function readListener(options) {
    const { listenerUsername, listenerPassword, signingSecret } = options;
    if (listenerUsername && listenerPassword && signingSecret) {
        return { username: listenerUsername, password: listenerPassword, signingSecret };
    }
    if (listenerUsername || listenerPassword || signingSecret) {
        throw new tool_ts_1.ToolFault('Give all of --listener-username, --listener-password and --signing-secret, or none.');
    }
    return (await readLocal(options))[options.environment].listener;
}
async function findListener(options) {
    const { listenerUsername, listenerPassword, signingSecret } = options;
    if (listenerUsername || listenerPassword || signingSecret)
        return readListener(options);
    return readListener(options).catch(() => null);
}
async function readLocalAuthority({ localDir }) {
    try {
        const { tls } = await readLocal({ localDir });
        return tls ? await (0, promises_1.readFile)(tls.ca, 'utf8') : null;
    }
    catch {
        return null;
    }
}
async function readLocal({ localDir }) {
    const path = (0, node_path_1.join)(localDir, 'credentials.json');
    try {
        return JSON.parse(await (0, promises_1.readFile)(path, 'utf8'));
    }
    catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new tool_ts_1.ToolFault(`No credentials were given, and ${path} cannot be read (${reason}). ` +
            'Run npm start, or see --help for the options.');
    }
}
function optionOf(name) {
    return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
