// npm run listener: a webhook listener to try the sandbox with.
import { runUnderToolchain } from './toolchain/run-under-toolchain.mjs';

const args = process.argv.slice(2);
await runUnderToolchain('npm run listener', ['demo-shop', 'src', 'listen.ts'], args, 'RUN');
