/** Pictures beside a heading; the words say the same. */
export type StatusIcon = 'good' | 'wait' | 'bad' | 'neutral' | 'away' | 'lost' | 'locked';

const DRAWINGS: Readonly<Record<StatusIcon, string>> = {
  good: '<path d="m18 29 7 7 14-15"/>',
  wait: '<path d="M28 17v11l7 5"/>',
  bad: '<path d="m20 20 16 16m0-16L20 36"/>',
  neutral: '<path d="M18 28h20"/>',
  // A cloud, a link and a lock.
  away: '<path d="M21 36h14a6 6 0 0 0 1-12 9 9 0 0 0-17-1 6.5 6.5 0 0 0 2 13z"/>',
  lost: '<path d="m25 31 6-6m-5-3 4-4a6 6 0 0 1 8 8l-4 4m-4 4-4 4a6 6 0 0 1-8-8l4-4"/>',
  locked: '<path d="M19 26h18v12H19zm4.5 0v-4a4.5 4.5 0 0 1 9 0v4"/>',
};

export function statusIcon(mark: StatusIcon): string {
  return (
    `<svg class="status ${mark}" viewBox="0 0 56 56" aria-hidden="true" focusable="false" ` +
    'fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round" ' +
    `stroke-linejoin="round"><circle cx="28" cy="28" r="25"/>${DRAWINGS[mark]}</svg>`
  );
}
