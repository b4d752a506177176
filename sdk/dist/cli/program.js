"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.runProgram = runProgram;
const node_util_1 = require("node:util");
const payment_requests_error_ts_1 = require("../errors/payment-requests-error.js");
const version_ts_1 = require("../version.js");
const help_ts_1 = require("./help.js");
const tool_ts_1 = require("./tool.js");
const tools_ts_1 = require("./tools.js");
const EXIT_CODES = { fine: 0, fault: 1, usage: 2 };
async function runProgram(args, { env, stderr, ...rest }) {
    const shell = { ...rest, program: 'payment-requests' };
    try {
        return await runTool(args, shell, env);
    }
    catch (error) {
        const isUsage = error instanceof tool_ts_1.InputFault;
        const isTold = error instanceof tool_ts_1.ToolFault || error instanceof payment_requests_error_ts_1.PaymentRequestsError;
        stderr.write(`${isUsage ? `error: ${error.message}` : sentenceOf(error, isTold)}\n`);
        return isUsage ? EXIT_CODES.usage : EXIT_CODES.fault;
    }
}
async function runTool([word = '--help', ...args], shell, env) {
    const { stdout, program } = shell;
    const tools = tools_ts_1.TOOLS;
    const tool = Object.hasOwn(tools, word) ? tools[word] : undefined;
    if (word === '--version' || word === '-V')
        stdout.write(`${version_ts_1.SDK_VERSION}\n`);
    else if (word === '--help' || word === '-h' || word === 'help') {
        stdout.write((0, help_ts_1.describeProgram)(program, Object.values(tools)));
    }
    else if (!tool) {
        throw new tool_ts_1.InputFault(`unknown command '${word}'. See ${program} --help`);
    }
    else if (args.includes('--help') || args.includes('-h')) {
        stdout.write((0, help_ts_1.describeTool)(program, tool));
    }
    else {
        const values = readValues(tool, args, env);
        const result = await tool.run(values, shell);
        if (result === null)
            return EXIT_CODES.fine;
        const text = values.json ? toJson(result.value) : result.lines.join('\n');
        stdout.write(`${text}\n`);
        return result.isOk ? EXIT_CODES.fine : EXIT_CODES.fault;
    }
    return EXIT_CODES.fine;
}
function readValues({ name, inputs }, args, env) {
    const named = Object.entries(inputs);
    const options = named.filter(([, input]) => !input.isArgument);
    const { values, positionals } = parse(args, options.map(([key, { placeholder }]) => [(0, help_ts_1.wordOf)(key), placeholder === null]));
    const places = named.filter(([, input]) => input.isArgument);
    if (positionals.length > places.length) {
        throw new tool_ts_1.InputFault(`too many arguments for '${name}'. Expected ${places.length} but got ${positionals.length}.`);
    }
    return Object.fromEntries(named.map(([key, input]) => {
        const given = input.isArgument ? positionals.shift() : values[(0, help_ts_1.wordOf)(key)];
        return [key, readValue(key, input, given, env)];
    }));
}
function parse(args, options) {
    try {
        return (0, node_util_1.parseArgs)({
            args: [...args],
            allowPositionals: true,
            options: Object.fromEntries(options.map(([word, isFlag]) => [word, { type: isFlag ? 'boolean' : 'string' }])),
        });
    }
    catch (error) {
        throw new tool_ts_1.InputFault(error instanceof Error ? error.message : String(error));
    }
}
function readValue(key, input, given, env) {
    const { variable, choices, read, usual, absent, isArgument, isRequired } = input;
    const what = isArgument ? `argument '${(0, help_ts_1.wordOf)(key)}'` : `option '${(0, help_ts_1.flagsOf)(key, input)}'`;
    if (given === undefined) {
        if (isArgument)
            throw new tool_ts_1.InputFault(`missing required ${what}`);
        if (isRequired)
            throw new tool_ts_1.InputFault(`required ${what} not specified`);
        return (variable && env[variable]) ?? usual ?? absent;
    }
    if (typeof given === 'boolean')
        return given;
    const invalid = (hint) => new tool_ts_1.InputFault(`${what}${isArgument ? '' : ' argument'} '${given}' is invalid. ${hint}`);
    if (choices && !choices.includes(given)) {
        throw invalid(`Allowed choices are ${choices.join(', ')}.`);
    }
    try {
        return read ? read(given) : given;
    }
    catch (error) {
        throw error instanceof tool_ts_1.InputFault ? invalid(error.message) : error;
    }
}
function toJson(value) {
    return JSON.stringify(value, null, 2).replace(/[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
function sentenceOf(error, isTold) {
    if (!(error instanceof Error))
        return String(error);
    return isTold ? error.message : (error.stack ?? error.message);
}
