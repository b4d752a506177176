// npm run chaos, ha, simulate, mutation: hands over to proofs/run-proof.mjs.
import { runUnderToolchain } from './toolchain/run-under-toolchain.mjs';

await runUnderToolchain(`npm run ${process.argv[2]}`, ['scripts', 'proofs', 'run-proof.mjs']);
