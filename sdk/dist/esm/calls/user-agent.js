import { SDK_VERSION } from '../version.js';
const LONGEST_RUNTIME = 100;
export function userAgent() {
    const { navigator, process } = globalThis;
    const runtime = navigator?.userAgent ?? (process?.version && `Node.js/${process.version}`) ?? '';
    const readable = runtime.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_RUNTIME);
    return `payment-requests-sdk/${SDK_VERSION} ${readable}`.trim();
}
