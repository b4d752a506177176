import { hasScheme } from '#lib/bank/account-number.ts';
import { isQrIban } from '#lib/bank/iban.ts';
import { epcPayload } from './epc-payload.ts';
import { spaydPayload } from './spayd-payload.ts';
import { swissPayload } from './swiss-payload.ts';
import type { Transfer } from './transfer.ts';

export interface TransferQr {
  readonly text: string;
  readonly hasSwissCross: boolean;
}

/**
 * The QR code that banking apps of the currency's countries scan (bank-transfer §2); null: there is
 * none, and the payer copies the fields.
 */
export function transferQrOf(currency: string, transfer: Transfer): TransferQr | null {
  if (hasScheme(transfer.iban)) return null;
  if (currency === 'CHF' || (currency === 'EUR' && isQrIban(transfer.iban))) {
    const text = swissPayload(transfer, currency);
    return text === null ? null : { text, hasSwissCross: true };
  }
  const text = payloadOf(currency, transfer);
  return text === null ? null : { text, hasSwissCross: false };
}

function payloadOf(currency: string, transfer: Transfer): string | null {
  if (currency === 'EUR') return epcPayload(transfer);
  return currency === 'CZK' ? spaydPayload(transfer) : null;
}
