#!/usr/bin/env node
"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const program_ts_1 = require("./program.js");
const EXIT_MS = 1_000;
const stopping = new AbortController();
for (const output of [process.stdout, process.stderr]) {
    output.on('error', (error) => {
        if (error.code !== 'EPIPE')
            throw error;
        stopping.abort();
    });
}
void (0, program_ts_1.runProgram)(process.argv.slice(2), {
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    interruption() {
        for (const name of ['SIGINT', 'SIGTERM'])
            process.once(name, () => stopping.abort());
        return stopping.signal;
    },
}).then((exitCode) => {
    process.exitCode = exitCode;
    if (exitCode !== 0)
        setTimeout(() => process.exit(), EXIT_MS).unref();
});
