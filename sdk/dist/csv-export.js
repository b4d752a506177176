"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readText = readText;
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
