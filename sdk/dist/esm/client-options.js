import { checkCallOptions } from './calls/check-options.js';
import { environmentOf } from './errors/credential-environment.js';
import { InvalidArgumentError } from './errors/invalid-argument-error.js';
const NEEDED = ['baseUrl', 'authUrl', 'username', 'password', 'apiKey'];
export function checkClientOptions(options) {
    for (const name of NEEDED) {
        if (typeof options[name] !== 'string' || options[name] === '') {
            throw new InvalidArgumentError(`createClient needs ${name}.`);
        }
    }
    const { timeoutMs, maxRetries, baseUrl, authUrl, username, apiKey } = options;
    checkUrl('baseUrl', baseUrl);
    checkUrl('authUrl', authUrl);
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
        throw new InvalidArgumentError('apiKey has a blank or a character that no header can hold.');
    }
    checkCallOptions({ timeoutMs, retries: maxRetries }, 'maxRetries');
    const [ofUsername, ofKey] = [environmentOf(username), environmentOf(apiKey)];
    if (ofUsername && ofKey && ofUsername !== ofKey) {
        throw new InvalidArgumentError(`username is a credential of ${ofUsername}, apiKey of ${ofKey}: ` +
            'take both from one environment.');
    }
}
function checkUrl(name, text) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
        throw new InvalidArgumentError(`${name} is no whole URL, such as https://pay.example.com/v1.`);
    }
    if (url.username !== '' || url.password !== '') {
        throw new InvalidArgumentError(`${name} holds a user name or password. Leave both out.`);
    }
}
