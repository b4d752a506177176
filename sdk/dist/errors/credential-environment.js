"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.environmentOf = environmentOf;
const PREFIXES = { sbx_: 'sandbox', prd_: 'production' };
const CELL_MARK = /^c\d{1,3}-/;
function environmentOf(credential) {
    const prefix = credential.replace(CELL_MARK, '').slice(0, 4);
    return PREFIXES[prefix];
}
