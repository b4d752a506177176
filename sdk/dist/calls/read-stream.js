"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readStream = readStream;
const no_answer_error_ts_1 = require("../errors/no-answer-error.js");
function readStream(body, { ending, idleMs, signal, host, release }) {
    const reader = body.getReader();
    return new ReadableStream({
        async pull(controller) {
            let isLate = false;
            const timer = setTimeout(() => {
                isLate = true;
                ending.abort();
            }, idleMs);
            try {
                const { done, value } = await reader.read();
                if (!done)
                    return controller.enqueue(value);
                controller.close();
                release();
            }
            catch (error) {
                release();
                controller.error(reasonOf(error, isLate));
            }
            finally {
                clearTimeout(timer);
            }
        },
        cancel() {
            release();
            ending.abort();
        },
    }, { highWaterMark: 0 });
    function reasonOf(error, isLate) {
        if (signal?.aborted)
            return signal.reason;
        return isLate
            ? new no_answer_error_ts_1.NoAnswerError('TIMEOUT', `${host} was silent for ${idleMs} ms.`, error)
            : new no_answer_error_ts_1.NoAnswerError('NETWORK_ERROR', `The answer of ${host} broke off.`, error);
    }
}
