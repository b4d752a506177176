"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.userAgent = userAgent;
const version_ts_1 = require("../version.js");
const LONGEST_RUNTIME = 100;
function userAgent() {
    const { navigator, process } = globalThis;
    const runtime = navigator?.userAgent ?? (process?.version && `Node.js/${process.version}`) ?? '';
    const readable = runtime.replace(/[^\x20-\x7e]/g, '').slice(0, LONGEST_RUNTIME);
    return `payment-requests-sdk/${version_ts_1.SDK_VERSION} ${readable}`.trim();
}
