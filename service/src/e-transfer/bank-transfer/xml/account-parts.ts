import { type AccountNumber, clearingOf } from '#lib/bank/account-number.ts';
import { optional, part, type XmlPart } from './write-xml.ts';

/** ISO 20022's word for a bank that is not known. */
const NOT_PROVIDED = 'NOTPROVIDED';

/** `Id` of an account: an IBAN, or the number alone, beside its bank. */
export const accountIdPart = ({ scheme, number }: AccountNumber): XmlPart =>
  part('Id', [scheme === 'IBAN' ? part('IBAN', number) : part('Othr', [part('Id', number)])]);

/** `FinInstnId` of the bank of an account: BIC and clearing code, as far as they are known. */
export function institutionPart(account: AccountNumber, bic: string | null = null): XmlPart {
  const clearing = clearingOf(account);
  const member = clearing && [
    part('ClrSysId', [part('Cd', clearing.system)]),
    part('MmbId', clearing.memberId),
  ];
  const known = [optional('BICFI', bic ?? undefined), member && part('ClrSysMmbId', member)];
  const isKnown = known.some((each) => each !== null);
  return part('FinInstnId', isKnown ? known : [part('Othr', [part('Id', NOT_PROVIDED)])]);
}
