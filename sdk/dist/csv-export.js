"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.startExport = startExport;
exports.readText = readText;
const answers_ts_1 = require("./answers.js");
const merchant_calls_ts_1 = require("./calls/merchant-calls.js");
const send_call_ts_1 = require("./calls/send-call.js");
async function startExport(calls, path, fallbackName, options) {
    const answer = await calls.call({
        method: 'GET',
        path,
        headers: { accept: 'text/csv, application/problem+json' },
        isStreamed: true,
        ...(0, merchant_calls_ts_1.limitsOf)(options),
    });
    const { stream, headers } = answer;
    if (!stream)
        throw (0, send_call_ts_1.problemOf)(answer);
    const [, fileName = fallbackName] = /filename="([\w.-]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
    return (0, answers_ts_1.noteAnswer)({ fileName, stream, [Symbol.asyncIterator]: () => readText(stream) }, answer);
}
async function* readText(stream) {
    const decoder = new TextDecoder();
    const reader = stream.getReader();
    let isOver = false;
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done)
                break;
            const text = decoder.decode(value, { stream: true });
            if (text !== '')
                yield text;
        }
        isOver = true;
        const rest = decoder.decode();
        if (rest !== '')
            yield rest;
    }
    finally {
        if (!isOver)
            await reader.cancel().catch(() => { });
    }
}
