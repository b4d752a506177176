/** Reads CSV (RFC 4180) as a spreadsheet would; written apart from what writes it. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (at >= text.length) throw new Error('a quote is never closed');
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    } else {
      const end = text.slice(at).search(/,|\r\n/);
      if (end < 0) throw new Error('the last line has no end');
      cell = text.slice(at, at + end);
      if (cell.includes('"')) throw new Error(`a quote inside ${cell}`);
      at += end;
    }
    row.push(cell);
    if (text[at] === ',') at++;
    else if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`something follows the cell ${cell}`);
  }
  return rows;
}
