// npm run release: hands over to release/make-release.mjs.
import { runUnderToolchain } from './toolchain/run-under-toolchain.mjs';

await runUnderToolchain('npm run release', ['scripts', 'release', 'make-release.mjs']);
