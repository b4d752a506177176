"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.splitJsonArray = splitJsonArray;
function splitJsonArray(text) {
    const members = [];
    let depth = 0;
    let isInString = false;
    let start = 1;
    for (let at = 0; at < text.length; at += 1) {
        const character = text[at];
        if (isInString) {
            if (character === '\\')
                at += 1;
            else if (character === '"')
                isInString = false;
        }
        else if (character === '"')
            isInString = true;
        else if (character === '[' || character === '{')
            depth += 1;
        else if (character === ']' || character === '}')
            depth -= 1;
        const isEnd = depth === 0;
        if (isEnd || (depth === 1 && character === ',' && !isInString)) {
            const member = text.slice(start, at).trim();
            if (member !== '')
                members.push(member);
            start = at + 1;
        }
        if (isEnd)
            break;
    }
    return members;
}
