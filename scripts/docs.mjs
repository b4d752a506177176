// npm run docs: hands over to docs/write-documents.mjs.
import { runUnderToolchain } from './toolchain/run-under-toolchain.mjs';

await runUnderToolchain('npm run docs', ['scripts', 'docs', 'write-documents.mjs'], []);
