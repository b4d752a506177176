/** What a label becomes once its metric has seen too many different values. */
export const OTHER = 'other';

/**
 * Bounds a label: the first `most` different values pass, every later one becomes `other`. A value
 * that turns out to be unbounded (a URL, an identifier) then costs a little detail, not the memory
 * of this process and of Prometheus.
 */
export function boundLabel(most: number): (value: string) => string {
  const seen = new Set<string>();
  return (value) => {
    if (seen.has(value)) return value;
    if (seen.size >= most) return OTHER;
    seen.add(value);
    return value;
  };
}
