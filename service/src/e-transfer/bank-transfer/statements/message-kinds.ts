import type { StatementKind } from './statement.ts';

export interface MessageKind {
  readonly kind: StatementKind;
  /** The element of one account. */
  readonly statement: string;
}

/** Each kind of message, by the element below `Document`. */
const MESSAGES: Readonly<Record<string, MessageKind>> = {
  BkToCstmrAcctRpt: { kind: 'camt.052', statement: 'Rpt' },
  BkToCstmrStmt: { kind: 'camt.053', statement: 'Stmt' },
  BkToCstmrDbtCdtNtfctn: { kind: 'camt.054', statement: 'Ntfctn' },
};

/** The first versions carry their number in the name, as in `BkToCstmrAcctRptV01`. */
export function messageNamed(name: string): MessageKind | null {
  const plain = name.replace(/V\d{2}$/, '');
  return Object.hasOwn(MESSAGES, plain) ? (MESSAGES[plain] ?? null) : null;
}

/** The elements that are used, with the elements on the way to them; no other costs memory. */
export const USED_ELEMENTS: ReadonlySet<string> = new Set([
  ...[
    'GrpHdr',
    'CreDtTm',
    'FrToDt',
    'ToDtTm',
    'MsgId',
    'Id',
    'ElctrncSeqNb',
    'LglSeqNb',
    'Ccy',
    'Bal',
    'Tp',
    'CdOrPrtry',
    'Cd',
  ],
  ...['Acct', 'IBAN', 'Othr', 'BBAN', 'PrtryAcct', 'Prtry', 'Amt', 'CdtDbtInd', 'Dt', 'DtTm'],
  ...['Sts', 'RvslInd', 'BookgDt', 'ValDt', 'NtryRef', 'AcctSvcrRef', 'BkTxCd', 'Domn', 'Fmly'],
  ...['SubFmlyCd', 'NtryDtls', 'Btch', 'PmtInfId', 'NbOfTxs', 'Refs', 'EndToEndId', 'AmtDtls'],
  ...[
    'Chrgs',
    'TtlChrgsAndTaxAmt',
    'Rcrd',
    'TxAmt',
    'InstdAmt',
    'RltdPties',
    'Dbtr',
    'Cdtr',
    'Pty',
    'Nm',
    'DbtrAcct',
    'CdtrAcct',
  ],
  ...[
    'RltdAgts',
    'DbtrAgt',
    'CdtrAgt',
    'FinInstnId',
    'BICFI',
    'Svcr',
    'ClrSysMmbId',
    'ClrSysId',
    'MmbId',
    'BIC',
    'RmtInf',
    'Ustrd',
    'Strd',
  ],
  ...['CdtrRefInf', 'Ref', 'CdtrRef', 'RtrInf', 'Rsn', 'RtrRsn'],
]);
