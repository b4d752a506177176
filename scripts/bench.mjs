// npm run bench: hands over to local/run-bench.mjs.
import { runUnderToolchain } from './run-under-toolchain.mjs';

await runUnderToolchain('npm run bench', ['scripts', 'local', 'run-bench.mjs']);
