// npm test: hands over to test/run-tests.mjs.
import { runUnderToolchain } from './toolchain/run-under-toolchain.mjs';

await runUnderToolchain('npm test', ['scripts', 'test', 'run-tests.mjs']);
