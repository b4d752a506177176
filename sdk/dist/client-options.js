"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.checkClientOptions = checkClientOptions;
const check_options_ts_1 = require("./calls/check-options.js");
const credential_environment_ts_1 = require("./errors/credential-environment.js");
const invalid_argument_error_ts_1 = require("./errors/invalid-argument-error.js");
const NEEDED = ['baseUrl', 'authUrl', 'username', 'password', 'apiKey'];
function checkClientOptions(options) {
    for (const name of NEEDED) {
        if (typeof options[name] !== 'string' || options[name] === '') {
            throw new invalid_argument_error_ts_1.InvalidArgumentError(`createClient needs ${name}.`);
        }
    }
    const { timeoutMs, maxRetries, baseUrl, authUrl, username, apiKey } = options;
    checkUrl('baseUrl', baseUrl);
    checkUrl('authUrl', authUrl);
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
        throw new invalid_argument_error_ts_1.InvalidArgumentError('apiKey has a blank or a character that no header can hold.');
    }
    (0, check_options_ts_1.checkCallOptions)({ timeoutMs, retries: maxRetries }, 'maxRetries');
    const [ofUsername, ofKey] = [(0, credential_environment_ts_1.environmentOf)(username), (0, credential_environment_ts_1.environmentOf)(apiKey)];
    if (ofUsername && ofKey && ofUsername !== ofKey) {
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`username is a credential of ${ofUsername}, apiKey of ${ofKey}: ` +
            'take both from one environment.');
    }
}
function checkUrl(name, text) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`${name} is no whole URL, such as https://pay.example.com/v1.`);
    }
    if (url.username !== '' || url.password !== '') {
        throw new invalid_argument_error_ts_1.InvalidArgumentError(`${name} holds a user name or password. Leave both out.`);
    }
}
