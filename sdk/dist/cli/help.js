"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.describeProgram = describeProgram;
exports.describeTool = describeTool;
exports.wordOf = wordOf;
exports.flagsOf = flagsOf;
const WIDTH = 80;
const INDENT = '  ';
function describeProgram(program, tools) {
    return [
        `Usage: ${program} [options] [command]\n`,
        `${wrap('Tools for the webhook listener of a merchant.', 0)}\n`,
        'Options:',
        ...rowsOf([
            ['-V, --version', 'output the version number'],
            ['-h, --help', 'display help'],
        ]),
        '\nCommands:',
        ...rowsOf(tools.map(({ name, summary }) => [name, summary])),
        `\nSee ${program} <command> --help\n`,
    ].join('\n');
}
function describeTool(program, { name, summary, inputs, more }) {
    const named = Object.entries(inputs);
    const places = named.filter(([, { isArgument }]) => isArgument);
    const options = named.filter(([, { isArgument }]) => !isArgument);
    const usage = [program, name, '[options]', ...places.map(([, { placeholder }]) => placeholder)];
    return [
        `Usage: ${usage.join(' ')}\n`,
        `${wrap(summary, 0)}\n`,
        ...(places.length === 0 ? [] : ['Arguments:']),
        ...rowsOf(places.map(([key, input]) => [wordOf(key), meaningOf(input)])),
        `${places.length === 0 ? '' : '\n'}Options:`,
        ...rowsOf([
            ...options.map(([key, input]) => [flagsOf(key, input), meaningOf(input)]),
            ['-h, --help', 'display help for command'],
        ]),
        `${more ? `${more(program)}\n` : ''}`,
    ].join('\n');
}
function wordOf(key) {
    return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
function flagsOf(key, { placeholder }) {
    return placeholder === null ? `--${wordOf(key)}` : `--${wordOf(key)} ${placeholder}`;
}
function meaningOf({ summary, choices, usual }) {
    const facts = [
        ...(choices ? [`choices: ${choices.map((each) => `"${each}"`).join(', ')}`] : []),
        ...(usual === undefined ? [] : [`default: ${JSON.stringify(usual)}`]),
    ];
    return facts.length === 0 ? summary : `${summary} (${facts.join(', ')})`;
}
function rowsOf(rows) {
    const left = Math.max(0, ...rows.map(([name]) => name.length)) + 2 * INDENT.length;
    return rows.map(([name, text]) => `${INDENT}${name}`.padEnd(left) + wrap(text, left));
}
function wrap(text, left) {
    const lines = [''];
    for (const word of text.split(' ')) {
        const line = lines.at(-1) ?? '';
        const next = line === '' ? word : `${line} ${word}`;
        if (line === '' || left + next.length <= WIDTH)
            lines[lines.length - 1] = next;
        else
            lines.push(word);
    }
    return lines.join(`\n${' '.repeat(left)}`);
}
