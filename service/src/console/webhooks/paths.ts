import type { Visit } from '#console/shell/visit.ts';

/** The address of a page of the visited merchant, below `/console`. */
export function merchantPath({ merchantId }: Visit, ...parts: readonly string[]): string {
  return ['', 'm', merchantId, ...parts].map(encodeURIComponent).join('/');
}

/** The address of such a page as a link's target. */
export function merchantHref(visit: Visit, ...parts: readonly string[]): string {
  return `/console${merchantPath(visit, ...parts)}`;
}
