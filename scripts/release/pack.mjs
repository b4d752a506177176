// Before and after `npm pack`: hands over to package-manifest.mjs.
import { runUnderToolchain } from '../toolchain/run-under-toolchain.mjs';

await runUnderToolchain('npm pack', ['scripts', 'release', 'package-manifest.mjs']);
