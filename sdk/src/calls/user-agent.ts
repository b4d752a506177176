import { SDK_VERSION } from '../version.ts';

/** Longer names tell the operator nothing more. */
const LONGEST_RUNTIME = 100;

/** Gives the value of User-Agent: this package and the runtime, such as `Node.js/24`. */
export function userAgent(): string {
  const { navigator, process } = globalThis as {
    readonly navigator?: { readonly userAgent?: string };
    readonly process?: { readonly version?: string };
  };
  // Node.js 20 has no navigator.
  const runtime = navigator?.userAgent ?? (process?.version && `Node.js/${process.version}`) ?? '';
  const readable = runtime.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_RUNTIME);
  return `payment-requests-sdk/${SDK_VERSION} ${readable}`.trim();
}
