import { noteAnswer } from './answers.js';
import { limitsOf } from './calls/merchant-calls.js';
import { problemOf } from './calls/send-call.js';
export async function startExport(calls, path, fallbackName, options) {
    const answer = await calls.call({
        method: 'GET',
        path,
        headers: { accept: 'text/csv, application/problem+json' },
        isStreamed: true,
        ...limitsOf(options),
    });
    const { stream, headers } = answer;
    if (!stream)
        throw problemOf(answer);
    const [, fileName = fallbackName] = /filename="([\w.-]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
    return noteAnswer({ fileName, stream, [Symbol.asyncIterator]: () => readText(stream) }, answer);
}
export async function* readText(stream) {
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
