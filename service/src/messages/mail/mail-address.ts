import { domainToASCII } from 'node:url';

/** Letters, digits and hyphens of any script: what else a domain of a URL may have is decoded. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
/** Not each mail server takes other characters (SMTPUTF8). */
const LOCAL_PART = /^[\x21-\x7e]+$/;

/** Not each server takes a domain in other letters; an A-form is its name in the DNS. */
export function plainDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at));
}

/**
 * Whether a mail reaches exactly this address. A domain in other letters has an A-form; one that
 * `domainToASCII` would write as another address, such as `0x7f.1`, has none.
 */
export function isMailAddress(address: string): boolean {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  if (at < 1 || !LOCAL_PART.test(address.slice(0, at)) || !DOMAIN.test(domain)) return false;
  const plain = domainToASCII(domain);
  return /[^!-~]/.test(domain) ? plain !== '' : plain === domain;
}
