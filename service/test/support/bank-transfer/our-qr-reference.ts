import { qrReferenceOf } from '#e-transfer/bank-transfer/references/qr-reference.ts';

/** Whether the text, without blanks, is a QR reference that the service could have issued. */
export function isOurQrReference(text: string): boolean {
  return /^\d{27}$/.test(text) && qrReferenceOf(text.slice(0, 24)) === text;
}
