// npm run bench: hands over to bench/run-bench.mjs.
import { runUnderToolchain } from './toolchain/run-under-toolchain.mjs';

await runUnderToolchain('npm run bench', ['scripts', 'bench', 'run-bench.mjs']);
