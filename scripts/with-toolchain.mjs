// Runs a program of node_modules/.bin under the right Node.js: with-toolchain.mjs tsc --noEmit
import { runUnderToolchain } from './toolchain/run-under-toolchain.mjs';

const [program = '', ...args] = process.argv.slice(2);
await runUnderToolchain(program, ['node_modules', '.bin', program], args);
