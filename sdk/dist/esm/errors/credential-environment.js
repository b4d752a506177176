const PREFIXES = { sbx_: 'sandbox', prd_: 'production' };
const CELL_MARK = /^c\d{1,3}-/;
export function environmentOf(credential) {
    const prefix = credential.replace(CELL_MARK, '').slice(0, 4);
    return PREFIXES[prefix];
}
