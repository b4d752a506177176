import { readFileSync } from 'node:fs';
import { escapeXml } from '#e-transfer/bank-transfer/xml/write-xml.ts';
import { ORACLES } from './oracles.ts';
import { decimalOf } from './write-entry.ts';

/** Our money, put into a foreign statement. */
export interface OurMoney {
  readonly iban: string;
  readonly amountCents: number;
  readonly bankReference: string;
  /** Free text; a reference of ours stands in it as payers type it. */
  readonly text?: string;
  /** A reference in its own element. */
  readonly reference?: string;
  readonly endToEndId?: string;
  readonly currency?: string;
  readonly direction?: 'CREDIT' | 'DEBIT';
  readonly status?: 'BOOK' | 'PDNG';
  readonly returned?: string;
}

const ACCOUNT = /(<Acct>\s*<Id>)[\s\S]*?(<\/Id>)(?=\s*(?:<(?:Tp|Ccy|Nm|Ownr|Svcr)>|<\/Acct>))/g;
const ENTRY = /<Ntry>[\s\S]*?<\/Ntry>/;

/**
 * A statement of another program whose first entry is our money, on our account: all else stays as
 * it was written, with its version, its order of elements and its other entries.
 */
export function foreignStatement(file: string, money: OurMoney): Buffer {
  const text = readFileSync(new URL(`files/${file}`, ORACLES), 'utf8');
  const onOurs = text.replaceAll(ACCOUNT, `$1<IBAN>${money.iban}</IBAN>$2`);
  if (!ENTRY.test(onOurs) || onOurs === text) throw new Error(`${file} has no account or entry`);
  return Buffer.from(onOurs.replace(ENTRY, (entry) => withMoney(entry, money)));
}

function withMoney(entry: string, money: OurMoney): string {
  const { currency = 'EUR', direction = 'CREDIT', status = 'BOOK' } = money;
  const amount = `<Amt Ccy="${currency}">${decimalOf(money.amountCents)}</Amt>`;
  const sign = direction === 'CREDIT' ? 'CRDT' : 'DBIT';
  const edited = entry
    .replaceAll(/<(AcctSvcrRef|EndToEndId)>[^<]*<\/\1>/g, '')
    .replaceAll(/<(RmtInf|RtrInf|Btch|Chrgs|RvslInd)>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<Amt Ccy=["'][A-Z]{3}["']>[^<]*<\/Amt>/g, amount)
    .replaceAll(/<CdtDbtInd>[A-Z]{4}<\/CdtDbtInd>/g, `<CdtDbtInd>${sign}</CdtDbtInd>`)
    .replace(/<Sts>[A-Z]{4}<\/Sts>/, `<Sts>${status}</Sts>`)
    .replace('</Ntry>', `<AcctSvcrRef>${money.bankReference}</AcctSvcrRef></Ntry>`);
  // A single payment: our money has no other details.
  const [first = '<TxDtls></TxDtls>'] = edited.match(/<TxDtls>[\s\S]*?<\/TxDtls>/) ?? [];
  const details = first.replace('</TxDtls>', `${detailsOf(money)}</TxDtls>`);
  const bare = edited
    .replaceAll(/<TxDtls>[\s\S]*?<\/TxDtls>/g, '')
    .replaceAll(/<NtryDtls>\s*<\/NtryDtls>|<NtryDtls\/>/g, '');
  return bare.replace('</Ntry>', `<NtryDtls>${details}</NtryDtls></Ntry>`);
}

function detailsOf({ text, reference, endToEndId, returned }: OurMoney): string {
  const parts = [
    endToEndId && `<Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>`,
    text && `<RmtInf><Ustrd>${escapeXml(text)}</Ustrd></RmtInf>`,
    reference && `<RmtInf><Strd><CdtrRefInf><Ref>${reference}</Ref></CdtrRefInf></Strd></RmtInf>`,
    returned && `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>`,
  ];
  return parts.filter(Boolean).join('');
}
