// npm test: hands over to local/run-tests.mjs.
import { runUnderToolchain } from './run-under-toolchain.mjs';

await runUnderToolchain('npm test', ['scripts', 'local', 'run-tests.mjs']);
