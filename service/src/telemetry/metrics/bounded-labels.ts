/** The value of a label after its metric has seen too many different values. */
export const OTHER = 'other';

/**
 * Bounds a label: the first `most` different values pass, every later value becomes `other`. An
 * unexpectedly unbounded value (a URL, an identifier) then costs some detail, not the memory of
 * this process and of Prometheus.
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
