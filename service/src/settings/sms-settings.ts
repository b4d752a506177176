import { isLoopback } from './read-addresses.ts';
import { readCaFile } from './read-ca-file.ts';
import { readOpsToken } from './read-key.ts';
import { setting } from './setting.ts';

/** Settings of SMS to payers, by one HTTP hook (messages §6). */
export const SMS_SETTINGS = {
  SMS_URL: setting({
    meaning:
      'the relay that takes SMS to payers, as https://relay.example/sms; default: production ' +
      'sends no SMS',
    fallback: '',
    read: readSmsUrl,
  }),
  SMS_CA_FILE: setting({
    meaning: 'a PEM file of certificate authorities trusted for SMS_URL beside the system’s',
    fallback: '',
    read: readCaFile,
  }),
  SMS_TOKEN: setting({
    meaning: 'the bearer token that SMS_URL gets, 24 random characters or more',
    fallback: '',
    secret: true,
    read: readToken,
  }),
  SMS_RECEIPT_TOKEN: setting({
    meaning:
      'the bearer token of POST /sms-receipts at the operators’ listener; default: no receipts',
    fallback: '',
    secret: true,
    read: readOpsToken,
  }),
  SMS_COUNTRY_CODE: setting({
    meaning:
      'the digits before a mobile number without +, as 1 or 49; default: an SMS needs a number ' +
      'with +',
    fallback: '',
    read: readCountryCode,
  }),
};

/** An operator's address: no guard of merchants' webhooks judges it. */
function readSmsUrl(text: string): URL | null {
  if (text === '') return null;
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error('must be an address that begins with https://');
  }
  if (url.username || url.password || url.hash) {
    throw new Error('must have no user, password or fragment: SMS_TOKEN is its secret');
  }
  // Numbers and links of payers, and the token, never travel in the clear.
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error('must begin with https://, but for a relay on this machine');
  }
  return url;
}

function readToken(text: string): string | null {
  return readOpsToken(text)?.toString() ?? null;
}

/** Country codes have one to three digits (ITU-T E.164); NANP areas count as the code 1. */
function readCountryCode(text: string): string {
  if (text === '' || /^[1-9]\d{0,2}$/.test(text)) return text;
  throw new Error('must be the one to three digits of a country’s code, without +');
}
