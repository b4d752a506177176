import { part, writeXml } from '#e-transfer/bank-transfer/xml/write-xml.ts';

export interface RejectionsOptions {
  readonly messageId: string;
  /** The reason code of the rejected file. */
  readonly whole?: string;
  readonly refunds?: readonly {
    readonly refundId: string;
    readonly code: string;
    /** `RJCT` by default. */
    readonly status?: string;
  }[];
}

/** A payment status report (`pain.002.001.10`), as a bank answers a payment file. */
export function writeRejections({ messageId, whole, refunds = [] }: RejectionsOptions): Buffer {
  const reason = (code: string) => part('StsRsnInf', [part('Rsn', [part('Cd', code)])]);
  const body = part('CstmrPmtStsRpt', [
    part('GrpHdr', [part('MsgId', 'BANK-1'), part('CreDtTm', '2026-03-02T08:00:00Z')]),
    part('OrgnlGrpInfAndSts', [
      part('OrgnlMsgId', messageId),
      part('OrgnlMsgNmId', 'pain.001.001.09'),
      ...(whole === undefined ? [] : [part('GrpSts', 'RJCT'), reason(whole)]),
    ]),
    refunds.length === 0
      ? null
      : part('OrgnlPmtInfAndSts', [
          part('OrgnlPmtInfId', messageId),
          part('PmtInfSts', 'PART'),
          ...refunds.map(({ refundId, code, status = 'RJCT' }) =>
            part('TxInfAndSts', [
              part('OrgnlEndToEndId', refundId.replaceAll('-', '')),
              part('TxSts', status),
              reason(code),
            ]),
          ),
        ]),
  ]);
  const xmlns = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.10';
  return Buffer.from(writeXml(part('Document', [body], { xmlns })));
}
