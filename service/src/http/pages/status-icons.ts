/** Pictures beside a heading; the words say the same. */
export type StatusIcon = 'good' | 'wait' | 'bad' | 'neutral';

const DRAWINGS: Readonly<Record<StatusIcon, string>> = {
  good: '<path d="m18 29 7 7 14-15"/>',
  wait: '<path d="M28 17v11l7 5"/>',
  bad: '<path d="m20 20 16 16m0-16L20 36"/>',
  neutral: '<path d="M18 28h20"/>',
};

export function statusIcon(mark: StatusIcon): string {
  return (
    `<svg class="status ${mark}" viewBox="0 0 56 56" aria-hidden="true" focusable="false" ` +
    'fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round" ' +
    `stroke-linejoin="round"><circle cx="28" cy="28" r="25"/>${DRAWINGS[mark]}</svg>`
  );
}
