// npm run docs: hands over to local/write-documents.mjs.
import { runUnderToolchain } from './run-under-toolchain.mjs';

await runUnderToolchain('npm run docs', ['scripts', 'local', 'write-documents.mjs'], []);
