import { setImmediate } from 'node:timers/promises';
import type { RefundRefusal } from '../../network-refunds.ts';
import { decodeXml } from '../statements/decode-xml.ts';
import { createXmlReader } from '../statements/read-xml.ts';
import { StatementFault } from '../statements/statement-fault.ts';
import { elementAt, elementsAt, textAt, type XmlElement } from '../statements/xml-element.ts';
import { refundIdOf } from './bank-refund.ts';

/** A bank answers each payment file; a file has at most 500 refunds. */
export const LARGEST_REPORT_BYTES = 5 * 1024 * 1024;
const REPORT = 'CstmrPmtStsRpt';
const REJECTED = 'RJCT';

/**
 * Reads a payment status report of ISO 20022 (`pain.002`), in any version. Other work of the
 * process runs between its pieces.
 *
 * @throws StatementFault, and then nothing of the file may be used
 */
export async function readPain002(bytes: Buffer) {
  if (bytes.length > LARGEST_REPORT_BYTES) throw new StatementFault('The file is above 5 MB.');
  const reader = createXmlReader({ isKept: () => true });
  for (const piece of decodeXml(bytes)) {
    reader.write(piece);
    await setImmediate();
  }
  const document = reader.end();
  const report = elementAt(document, REPORT);
  const group = report && elementAt(report, 'OrgnlGrpInfAndSts');
  const messageId = group && textAt(group, 'OrgnlMsgId');
  if (!report || !group || messageId === null) {
    throw new StatementFault('The file is no payment status report: OrgnlMsgId is missing.');
  }
  // A file has one payment block, so that its rejection is the file's.
  const blocks = elementsAt(report, ['OrgnlPmtInfAndSts']);
  const refused =
    rejectionOf(group, 'GrpSts') ??
    blocks.map((block) => rejectionOf(block, 'PmtInfSts')).find((reason) => reason !== null);
  const single = blocks.flatMap((block) => elementsAt(block, ['TxInfAndSts']));
  return {
    /** The MsgId of the payment file. */
    messageId,
    /** All refunds of the file; null: the bank names each one. */
    whole: refused ?? null,
    refunds: single.flatMap((transaction) => {
      const reason = rejectionOf(transaction, 'TxSts');
      const refundId = refundIdOf(textAt(transaction, 'OrgnlEndToEndId') ?? '');
      return reason === null || refundId === null ? [] : [{ refundId, reason }];
    }),
  };
}

function rejectionOf(element: XmlElement, status: string): RefundRefusal | null {
  if (textAt(element, status) !== REJECTED) return null;
  const code = textAt(element, 'StsRsnInf', 'Rsn', 'Cd') ?? '';
  return REASONS[code] ?? 'NETWORK_REJECTED';
}

/** The codes of ISO 20022 (ExternalStatusReason1Code) that say more than "rejected". */
const REASONS: Readonly<Record<string, RefundRefusal>> = {
  // Incorrect account numbers: the payer's account cannot be found.
  ...{ AC01: 'PAYER_ACCOUNT_UNKNOWN', AC03: 'PAYER_ACCOUNT_UNKNOWN' },
  ...{ BE06: 'PAYER_ACCOUNT_UNKNOWN', RC01: 'PAYER_ACCOUNT_UNKNOWN' },
  // Closed, blocked, or of a kind that takes no transfer.
  ...{ AC04: 'ACCOUNT_RESTRICTED', AC06: 'ACCOUNT_RESTRICTED', AC07: 'ACCOUNT_RESTRICTED' },
  ...{ AG01: 'ACCOUNT_RESTRICTED', MD07: 'ACCOUNT_RESTRICTED' },
  AM04: 'INSUFFICIENT_FUNDS',
  ...{ AM02: 'AMOUNT_LIMIT_EXCEEDED', AM14: 'AMOUNT_LIMIT_EXCEEDED' },
  FRAD: 'SUSPECTED_FRAUD',
  // Signatures that are missing, wrong or not allowed.
  ...{ DS02: 'AUTHENTICATION_FAILED', DS0H: 'AUTHENTICATION_FAILED' },
  ...{ AB05: 'NETWORK_TIMEOUT', AB06: 'NETWORK_TIMEOUT', TM01: 'NETWORK_TIMEOUT' },
};
