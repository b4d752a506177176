// npm run payreq: the operator's command line.
import { runUnderToolchain } from './run-under-toolchain.mjs';

await runUnderToolchain('payreq', ['service', 'src', 'cli.ts']);
