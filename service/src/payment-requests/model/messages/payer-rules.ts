import type { FieldFault } from '#lib/problem.ts';
import { fault } from '../field-rules.ts';
import { type Channel, channelOf } from './delivery.ts';
import { smsNumber } from './sms-number.ts';

/** The channels of this deployment (messages §1). */
export interface MessageChannels {
  readonly available: readonly Channel[];
  /** `SMS_COUNTRY_CODE` */
  readonly smsCountryCode: string;
}

interface PayerMembers {
  readonly name?: unknown;
  readonly email?: unknown;
  readonly mobileNumber?: unknown;
}

export const LONGEST_PAYER_NAME = 100;
const MOBILE_PUNCTUATION = /[+\-() ]/g;

/** The payer's rules that no schema can express, for creations and updates (contract §4). */
export function payerFaults(payer: PayerMembers | undefined): FieldFault[] {
  if (typeof payer !== 'object' || payer === null || Array.isArray(payer)) return [];
  const faults: FieldFault[] = [];
  if (typeof payer.name === 'string' && payer.name !== '') {
    const length = [...payer.name.trim()].length;
    if (length === 0) faults.push(fault('payer.name', 'TOO_SHORT', 'Give payer.name.'));
    if (length > LONGEST_PAYER_NAME) {
      const message = `Give payer.name at most ${LONGEST_PAYER_NAME} characters.`;
      faults.push(fault('payer.name', 'TOO_LONG', message));
    }
  }
  if ((payer.email ?? payer.mobileNumber ?? undefined) === undefined) {
    const message = 'Give payer.email or payer.mobileNumber.';
    faults.push(fault('payer.email', 'REQUIRED_ONE_OF', message));
  }
  if (typeof payer.email === 'string' && !/^[^@\s]+@[^@\s]+$/.test(payer.email)) {
    const message = 'Give payer.email as an e-mail address with one @ and no spaces.';
    faults.push(fault('payer.email', 'INVALID_FORMAT', message));
  }
  if (typeof payer.mobileNumber === 'string' && !isMobileNumber(payer.mobileNumber)) {
    const message = 'Give payer.mobileNumber with 10 to 15 digits, beside + - ( ) and spaces.';
    faults.push(fault('payer.mobileNumber', 'INVALID_FORMAT', message));
  }
  return faults;
}

/** Finds a channel that this deployment lacks, and an address that it needs (messages §1). */
export function channelFaults(
  deliveryMode: unknown,
  payer: PayerMembers | undefined,
  { available, smsCountryCode }: MessageChannels,
): FieldFault[] {
  const channel = channelOf(typeof deliveryMode === 'string' ? deliveryMode : null);
  if (channel === null) return [];
  if (!available.includes(channel)) {
    const lack = `this deployment sends no ${WORDS[channel]}`;
    const message = `Give deliveryMode as NONE, or leave it out: ${lack}.`;
    return [fault('deliveryMode', 'INVALID_VALUE', message)];
  }
  return addressFaults(channel, payer, smsCountryCode);
}

const WORDS: Readonly<Record<Channel, string>> = { EMAIL: 'e-mail', SMS: 'SMS' };

/** The address of a channel in `payer` (messages §1). */
function addressFaults(
  channel: Channel,
  payer: PayerMembers | undefined,
  smsCountryCode: string,
): FieldFault[] {
  if (typeof payer !== 'object' || payer === null) return [];
  const name = channel === 'EMAIL' ? 'email' : 'mobileNumber';
  const address = payer[name];
  const field = `payer.${name}`;
  if (address === undefined || address === null) {
    return [fault(field, 'REQUIRED', `Give ${field}: deliveryMode is ${channel}.`)];
  }
  if (channel === 'EMAIL' || typeof address !== 'string') return [];
  if (smsNumber(address, smsCountryCode) !== null) return [];
  const message = `Give ${field} with + and the country’s code: deliveryMode is SMS.`;
  return [fault(field, 'INVALID_FORMAT', message)];
}

function isMobileNumber(text: string): boolean {
  return /^\d{10,15}$/.test(text.replace(MOBILE_PUNCTUATION, ''));
}
