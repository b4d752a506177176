import { type OpenCases, sumOpenCases } from './case-list-store.ts';

/** The open cases of each kind, the most frequent first; their sums in the case's currency. */
export function readOpenCases(
  ...asked: Parameters<typeof sumOpenCases>
): Promise<readonly OpenCases[]> {
  return sumOpenCases(...asked);
}
