import type { CallOptions } from '../call-options.js';
import type { CsvExport } from '../csv-export.js';
import type { Ledger, LedgerFilters, LedgerOptions, ReconciliationReport, ReportOptions } from './ledger.js';
export interface LedgerCalls {
    /**
     * Reads your ledger: every movement of your money. Store the `nextCursor` of each page and give
     * it as `after` the next time: no entry is left out, also when a bank books late.
     *
     * @throws ProblemError `VALIDATION_ERROR` for a cursor of another ledger
     * @example
     * const ledger = client.listLedgerEntries({ from: '2026-03-01' });
     * for await (const { items, nextCursor } of ledger.pages()) {
     *   for (const { type, amount } of items) console.log(type, amount);
     *   console.log('store', nextCursor);
     * }
     */
    listLedgerEntries(filters?: LedgerFilters, options?: LedgerOptions): Ledger;
    /**
     * Exports the entries of your ledger that match as CSV. The column `cursor` of the last row is
     * the `after` of the next export.
     *
     * @throws ProblemError `RATE_LIMITED` while another export runs
     * @example
     * const csv = await client.exportLedgerEntries({ from: '2026-03-01', to: '2026-03-31' });
     * for await (const text of csv) console.log(text);
     */
    exportLedgerEntries(filters?: LedgerFilters & {
        readonly after?: string | undefined;
    }, options?: CallOptions): Promise<CsvExport>;
    /**
     * Reads the reconciliation report of a day: sums, counts by type, and what does not match.
     *
     * @throws ProblemError `VALIDATION_ERROR`
     * @example
     * const report = await client.getReconciliationReport({ date: '2026-03-01' });
     * console.log(report.openingSum, report.closingSum);
     * for (const { type, count, amount } of report.totals) console.log(type, count, amount);
     */
    getReconciliationReport(options?: ReportOptions): Promise<ReconciliationReport>;
}
