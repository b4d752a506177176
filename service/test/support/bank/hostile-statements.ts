const SIZE = 24 * 1024 * 1024;
const ACCOUNT = '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>';
const HEAD = '<Document><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>';

/** Repeats a piece until a file of 24 MB is full. */
function filled(before: string, piece: string, size = SIZE): Buffer {
  const bytes = Buffer.alloc(size);
  const start = bytes.write(before);
  return bytes.fill(piece, start);
}

/** A statement of an account that never ends. */
export function filledStatement(piece: string, size?: number): Buffer {
  return filled(`${HEAD}<Stmt>${ACCOUNT}`, piece, size);
}

type Writers = Readonly<Record<string, (size?: number) => Buffer>>;

/** No tag stands in the rest of the file. */
export const ENDLESS_STATEMENTS: Writers = {
  'one text': (size) => filled(HEAD, 'x', size),
  'a text of references': (size) => filled(HEAD, '&lt;', size),
  'a text of line ends': (size) => filled(HEAD, '\r\n', size),
  'one CDATA section': (size) => filled(`${HEAD}<![CDATA[`, 'x', size),
  'a CDATA section of brackets': (size) => filled(`${HEAD}<![CDATA[`, ']x', size),
  'empty CDATA sections': (size) => filled(HEAD, '<![CDATA[]]>', size),
  'one comment': (size) => filled(`${HEAD}<!--`, 'x', size),
  'a comment of hyphens': (size) => filled(`${HEAD}<!--`, '-x', size),
  'empty comments': (size) => filled(HEAD, '<!---->', size),
  'comments before the root': (size) => filled('', '<!---->', size),
  'spaces before the root': (size) => filled('', ' ', size),
  'one processing instruction': (size) => filled(`${HEAD}<?a `, 'x', size),
  'a processing instruction of marks': (size) => filled(`${HEAD}<?a `, '?x', size),
  'the name of a processing instruction': (size) => filled(`${HEAD}<?a`, 'x', size),
  'empty processing instructions': (size) => filled(HEAD, '<?a?>', size),
  'one attribute value': (size) => filled(`${HEAD}<Stmt a="`, 'x', size),
  'an attribute value of references': (size) => filled(`${HEAD}<Stmt a="`, '&lt;', size),
  'spaces between attributes': (size) => filled(`${HEAD}<Stmt `, ' ', size),
  'the name of an attribute': (size) => filled(`${HEAD}<Stmt a`, 'x', size),
  'the name of an element': (size) => filled(`${HEAD}<a`, 'x', size),
  'the name of a closing tag': (size) => filled(`${HEAD}<Stmt></S`, 't', size),
  'the name of an entity': (size) => filled(`${HEAD}&a`, 'x', size),
  'the XML declaration': (size) => filled('<?xml version="1', '1', size),
};

/** Files with as much of a kind of mark-up as they can hold. */
const CROWDED_STATEMENTS: Writers = {
  'empty elements': (size) => filled(HEAD, '<b/>', size),
  'elements with a text': (size) => filled(HEAD, '<b>1</b>', size),
  'used elements': (size) => filled(`${HEAD}<Stmt><Ntry>`, '<Amt/>', size),
  'elements with 32 attributes': (size) =>
    filled(HEAD, `<b${Array.from({ length: 32 }, (_, n) => ` a${n}="1"`).join('')}/>`, size),
  'elements with long names': (size) => filled(HEAD, `<${'b'.repeat(60_000)}/>`, size),
  'elements 31 deep': (size) => filled(HEAD, '<b>'.repeat(30) + '</b>'.repeat(30), size),
  'texts of 60 kB of references': (size) => filled(HEAD, `<b>${'&lt;'.repeat(15_000)}</b>`, size),
  'texts of 60 kB': (size) => filled(HEAD, `<b>${'é'.repeat(30_000)}</b>`, size),
  'nested elements': (size) => filled(HEAD, '<b>', size),
  'comments between tags': (size) => filled(HEAD, `${'<!---->'.repeat(18_000)}<b/>`, size),
  'processing instructions between tags': (size) =>
    filled(HEAD, `${'<?a?>'.repeat(26_000)}<b/>`, size),
  'CDATA sections between tags': (size) =>
    filled(HEAD, `${'<![CDATA[]]>'.repeat(10_000)}<b/>`, size),
  'CDATA sections of brackets': (size) =>
    filled(HEAD, `<b><![CDATA[${']x'.repeat(30_000)}]]></b>`, size),
  'texts of line ends': (size) => filled(HEAD, `<b>${'\r\n'.repeat(60_000)}</b>`, size),
  'empty statements': (size) =>
    filled('<Document><BkToCstmrStmt>', `<Stmt>${ACCOUNT}</Stmt>`, size),
  'empty details': (size) => filled(`${HEAD}<Stmt>${ACCOUNT}<Ntry><NtryDtls>`, '<TxDtls/>', size),
  'empty entries': (size) => filledStatement('<Ntry/>', size),
  'entries of empty details': (size) =>
    filledStatement(`<Ntry><NtryDtls>${'<TxDtls/>'.repeat(40_000)}</NtryDtls></Ntry>`, size),
  'details of many names': (size) =>
    filledStatement(
      `<Ntry><NtryDtls>${`<TxDtls><RmtInf>${'<Ustrd>x</Ustrd>'.repeat(500)}</RmtInf></TxDtls>`.repeat(30)}</NtryDtls></Ntry>`,
      size,
    ),
};

/** Files of 24 MB, or of another size, that are made to cost the reader as much as they can. */
export const HOSTILE_STATEMENTS: Writers = { ...ENDLESS_STATEMENTS, ...CROWDED_STATEMENTS };
