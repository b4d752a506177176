// npm run docs: writes the documents that are made from the code.
import { runUnderToolchain } from './run-under-toolchain.mjs';

await runUnderToolchain('npm run docs', ['service', 'test', 'support', 'write-documents.ts'], []);
