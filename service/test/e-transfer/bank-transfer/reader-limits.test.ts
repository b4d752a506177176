import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { readPain002 } from '#e-transfer/bank-transfer/refunds-out/read-pain002.ts';
import { decodeXml } from '#e-transfer/bank-transfer/statements/decode-xml.ts';
import { messageNameOf } from '#e-transfer/bank-transfer/statements/message-name.ts';
import {
  LARGEST_STATEMENT_BYTES,
  readParts,
} from '#e-transfer/bank-transfer/statements/read-statements.ts';
import { StatementFault } from '#e-transfer/bank-transfer/statements/statement-fault.ts';
import {
  ENDLESS_STATEMENTS,
  filledStatement,
  HOSTILE_STATEMENTS,
} from '../../support/bank/hostile-statements.ts';
import { readStatements, readXml } from '../../support/bank/read-statement-file.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';

const IBAN = 'DE89370400440532013000';
const plain = writeStatement({ iban: IBAN, entries: [{ amountCents: 885, debtorName: 'Zoë' }] });
const withAmount = (amount: string): Buffer =>
  Buffer.from(plain.toString().replace('>8.85<', `>${amount}<`));

function faultOf(read: () => unknown): string {
  let sentence = '';
  assert.throws(read, (error) => {
    assert.ok(error instanceof StatementFault, String(error));
    sentence = error.message;
    return true;
  });
  return sentence;
}

/** Counts the pieces, and the opened elements, until a text is refused. */
function workOf(pieces: readonly string[]) {
  let taken = 0;
  let opened = 0;
  function* counted() {
    for (const piece of pieces) {
      taken += 1;
      yield piece;
    }
  }
  const reading = {
    isKept: () => true,
    onOpen() {
      opened += 1;
    },
  };
  const fault = faultOf(() => readXml(counted(), reading));
  return { fault, taken, opened };
}

const FILL = Array.from({ length: 100 }, () => '<b/>'.repeat(1_000));

describe('the limits of the statement reader', () => {
  it('stops at the 33rd level, and reads 32', () => {
    const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
    assert.equal(readXml(nested(32), { isKept: () => false }).name, 'a');
    const { fault, opened } = workOf([nested(33)]);
    assert.equal(fault, 'Line 1: a is nested too deeply.');
    assert.equal(opened, 32);
  });

  it('stops inside the first piece of 140 kB of nested elements', () => {
    const { fault, taken, opened } = workOf(['<deep>'.repeat(24_000), ...FILL]);
    assert.match(fault, /^Line 1: deep is nested too deeply/);
    assert.deepEqual({ taken, opened }, { taken: 1, opened: 32 });
  });

  it('names the element whose text is too long, in one piece or in many', () => {
    const long = 'x'.repeat(65_537);
    const asText = workOf([`<a>\n<Nm>${long}</Nm></a>`, ...FILL]);
    const asPieces = workOf(['<a><Nm>', ...(long.match(/.{1,9000}/g) ?? []), '</Nm></a>', ...FILL]);
    const asCdata = workOf([`<a><Nm>${'y'.repeat(60_000)}<![CDATA[${long}]]></Nm></a>`, ...FILL]);
    const asAttribute = workOf([`<a><Nm Ccy="${long}"/></a>`, ...FILL]);
    assert.match(asText.fault, /^Line 2: Nm has a text/);
    for (const { fault, taken, opened } of [asText, asPieces, asCdata, asAttribute]) {
      assert.match(fault, /^Line \d: Nm has a text that is too long\.$/);
      assert.ok(taken <= 10 && opened === 2, `${taken} pieces, ${opened} elements`);
    }
    assert.equal(readXml(`<a>${long.slice(1)}</a>`, { isKept: () => false }).text.length, 65_536);
  });

  it('counts no line ends between elements as a text of their parent', () => {
    const lines = (text: string) => `<a>${'\n        <b/>'.repeat(10_000)}${text}</a>`;
    assert.equal(readXml(lines(''), { isKept: () => false }).text, '');
    assert.equal(readXml(lines(' end\n'), { isKept: () => false }).text, 'end');
  });

  it('refuses a DOCTYPE before the root, with every kind of entity bomb', () => {
    const laughs = Array.from(
      { length: 9 },
      (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
    );
    const bombs = {
      billion: `<!DOCTYPE D [<!ENTITY l0 "lol">${laughs.join('')}]><D>&l9;</D>`,
      quadratic: `<!DOCTYPE D [<!ENTITY q "${'q'.repeat(50_000)}">]><D>${'&q;'.repeat(50_000)}</D>`,
      outside: '<!DOCTYPE D [<!ENTITY x SYSTEM "file:///etc/passwd">]><D>&x;</D>',
      parameter: '<!DOCTYPE D [<!ENTITY % p SYSTEM "http://localhost/p.dtd">%p;]><D/>',
      named: '<!DOCTYPE Document SYSTEM "http://localhost/camt.dtd"><Document/>',
    };
    for (const [name, bomb] of Object.entries(bombs)) {
      const { fault, opened } = workOf([bomb]);
      assert.match(fault, /^Line 1: the file has a DOCTYPE/, name);
      assert.equal(opened, 0, name);
    }
  });

  it('expands no entity without a DOCTYPE', () => {
    const { fault } = workOf(['<a>&l9;</a>', ...FILL]);
    assert.match(fault, /^Line 1: the file is not well-formed XML/);
  });

  it('stops at the 33rd attribute of an element', () => {
    const flood = Array.from({ length: 50_000 }, (_, n) => ` a${n}="1"`).join('');
    const { fault, taken } = workOf([`<D><Amt${flood}/></D>`, ...FILL]);
    assert.equal(fault, 'Line 1: Amt has too many attributes.');
    assert.equal(taken, 1);
  });

  it('stops at 20,000 kept elements', () => {
    const { fault, opened } = workOf(['<a>', ...FILL]);
    assert.match(fault, /^Line 1: b stands among too many elements/);
    assert.ok(opened <= 20_002, String(opened));
  });

  it('stops where no tag follows within 128 kB, in every kind of mark-up', () => {
    for (const [name, write] of Object.entries(ENDLESS_STATEMENTS)) {
      const { fault, taken } = workOf([...decodeXml(write(1_000_000))]);
      assert.match(fault, /^Line \d+: a text, name or comment is too long\.$/, name);
      assert.ok(taken <= 10, `${name}: ${taken} pieces of 16 kB`);
    }
  });

  it('stops at 1,500,000 elements, attributes and references', () => {
    for (const name of [
      'empty elements',
      'elements with 32 attributes',
      'texts of 60 kB of references',
    ]) {
      const bytes = HOSTILE_STATEMENTS[name]?.(12_000_000) ?? Buffer.alloc(0);
      assert.match(
        faultOf(() => readStatements(bytes)),
        /^Line 1: the file has too many elements\.$/,
        name,
      );
    }
  });

  it('stops at 200,000 entries and 100,000 payments of a file', async () => {
    const entry = '<Ntry><NtryDtls><TxDtls/></NtryDtls></Ntry>';
    const kinds = { '<Ntry/>': /too many entries/, [entry]: /too many payments/ };
    for (const [piece, expected] of Object.entries(kinds)) {
      const bytes = filledStatement(piece, 5_000_000);
      const reader = async () => {
        for await (const _parts of readParts(bytes));
      };
      await assert.rejects(reader, expected);
    }
  });

  it('looks for the name of a message in the first 16 kB alone', () => {
    const named = (spaces: number) =>
      messageNameOf(Buffer.from(`<Document>${' '.repeat(spaces)}<CstmrPmtStsRpt/></Document>`));
    assert.equal(named(16_000), 'CstmrPmtStsRpt');
    assert.equal(named(17_000), '');
  });

  it('lets other work run while a payment status report of 4 MB is read', async () => {
    const text = `<AddtlInf>${'x'.repeat(60_000)}</AddtlInf>`.repeat(70);
    let isReading = true;
    let turns = 0;
    const other = (async () => {
      for (; isReading; turns += 1) await setImmediate();
    })();
    const report = `<Document><CstmrPmtStsRpt>${text}</CstmrPmtStsRpt></Document>`;
    await assert.rejects(readPain002(Buffer.from(report)), /OrgnlMsgId is missing/);
    isReading = false;
    await other;
    assert.ok(turns > 100, `${turns} turns`);
  });

  it('refuses 25 MB and one byte unread', () => {
    const large = Buffer.alloc(LARGEST_STATEMENT_BYTES + 1, ' ');
    assert.equal(
      faultOf(() => readStatements(large)),
      'The file is above 25 MB.',
    );
  });
});

describe('the encodings of a statement', () => {
  const text = plain.toString().replace(/^<\?xml[^>]*\?>\s*/, '');
  const nameIn = (bytes: Buffer) =>
    readStatements(bytes).statements[0]?.entries[0]?.payments[0]?.debtor.name;
  const bigEndian = (some: string) => Buffer.from(some, 'utf16le').swap16();

  it('reads UTF-16 of both orders, with and without a byte order mark', () => {
    for (const some of [text, `<?xml version="1.0" encoding="UTF-16"?>${text}`]) {
      assert.equal(nameIn(Buffer.from(some, 'utf16le')), 'Zoë');
      assert.equal(nameIn(Buffer.from(`\ufeff${some}`, 'utf16le')), 'Zoë');
      assert.equal(nameIn(bigEndian(some)), 'Zoë');
      assert.equal(nameIn(bigEndian(`\ufeff${some}`)), 'Zoë');
    }
  });

  it('reads UTF-8 with a byte order mark, and ISO-8859-1 where it is declared', () => {
    assert.equal(nameIn(Buffer.from(`\ufeff${text}`)), 'Zoë');
    const latin = `<?xml version="1.0" encoding="ISO-8859-1"?>${text}`;
    assert.equal(nameIn(Buffer.from(latin, 'latin1')), 'Zoë');
  });

  it('refuses bytes that are not of the declared encoding', () => {
    const declared = (name: string) => `<?xml version="1.0" encoding="${name}"?>${text}`;
    const wrong: readonly (readonly [Buffer, RegExp])[] = [
      [Buffer.from(declared('UTF-8'), 'latin1'), /^The file is not UTF-8 throughout/],
      [Buffer.from(text, 'latin1'), /^The file is not UTF-8 throughout/],
      [Buffer.from(declared('UTF-16')), /^The file names an encoding that is not read/],
      [Buffer.from(declared('UTF-7')), /^The file names an encoding that is not read/],
      [Buffer.from(text, 'utf16le').subarray(0, -1), /^The file is not UTF-16LE throughout/],
    ];
    for (const [bytes, expected] of wrong)
      assert.match(
        faultOf(() => readStatements(bytes)),
        expected,
      );
  });

  it('refuses NUL bytes, in a text and after the end', () => {
    for (const bytes of [
      Buffer.from(text.replace('Zoë', 'Zo\0')),
      Buffer.concat([Buffer.from(text), Buffer.alloc(16)]),
      Buffer.alloc(64),
    ]) {
      assert.match(
        faultOf(() => readStatements(bytes)),
        /^Line \d+: the file is not well-formed XML/,
      );
    }
  });

  it('refuses a file that ends at any byte before its end', () => {
    const whole = plain.toString().trimEnd();
    const bytes = Buffer.from(whole);
    for (let end = 0; end < bytes.length; end += 7) {
      assert.match(
        faultOf(() => readStatements(bytes.subarray(0, end))),
        /^(Line \d+: |The file )/,
      );
    }
  });
});

describe('the values of an entry', () => {
  const centsOf = (amount: string) =>
    readStatements(withAmount(amount)).statements[0]?.entries[0]?.amountCents;

  it('reads zeros after the second decimal, and a missing whole or fraction', () => {
    const read = { '8.850': 885, '.5': 50, '5.': 500, '5': 500, '+5': 500, '007.10': 710 };
    for (const [amount, cents] of Object.entries(read)) assert.equal(centsOf(amount), cents);
    assert.equal(centsOf('99999999999.99'), 9_999_999_999_999);
  });

  it('refuses any other amount with its line and element, and rounds none', () => {
    const wrong = ['8.851', '8.8500001', '1e3', '-5', '--5', '8,85', '1 000', '1.000.00', '.', ''];
    const worse = ['0x10', 'Infinity', 'NaN', '٣', '9'.repeat(20), '100000000000'];
    for (const amount of [...wrong, ...worse]) {
      assert.match(
        faultOf(() => centsOf(amount)),
        /^Line \d+: Amt (is|has) /,
        amount,
      );
    }
  });

  it('refuses a direction, a flag, a day or a currency that it does not know', () => {
    const changed = (from: RegExp | string, to: string) => () =>
      readStatements(Buffer.from(plain.toString().replace(from, to)));
    const entry = /(<Ntry>[\s\S]*?)<CdtDbtInd>CRDT</;
    assert.match(
      faultOf(changed(entry, '$1<CdtDbtInd>CREDIT<')),
      /^Line \d+: Ntry has a CdtDbtInd/,
    );
    assert.match(faultOf(changed('<Ntry>', '<Ntry><RvslInd>yes</RvslInd>')), /Ntry has a RvslInd/);
    assert.match(
      faultOf(changed(/<Dt>[^<]*(<\/Dt>\s*<\/BookgDt>)/, '<Dt>2026-02-30$1')),
      /is not a date/,
    );
    assert.match(faultOf(changed(/(<Ntry>\s*<Amt Ccy=")EUR/, '$1eur')), /has no currency/);
  });
});
