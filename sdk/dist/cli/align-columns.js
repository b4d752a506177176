"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.withoutControls = withoutControls;
exports.alignColumns = alignColumns;
const GAP = '  ';
const CONTROL_CHARACTERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
function withoutControls(text) {
    return text.replace(CONTROL_CHARACTERS, '\ufffd');
}
function alignColumns(table) {
    const rows = table.map((row) => row.map(withoutControls));
    const widthOf = (column) => Math.max(...rows.map((row) => (row[column] ?? '').length));
    return rows.map((row) => {
        const cells = row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widthOf(at)) : cell));
        return cells.join(GAP).trimEnd();
    });
}
