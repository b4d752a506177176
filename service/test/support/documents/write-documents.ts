// npm run docs: writes the documents that are made from the code.
import { writeFileSync } from 'node:fs';
import { GENERATED_DOCUMENTS } from './generated-documents.ts';
import { buildSdkFiles, writeSdkFiles } from './sdk-package-files.ts';

for (const { path, file, render } of GENERATED_DOCUMENTS) {
  writeFileSync(file, await render());
  console.log(path);
}

writeSdkFiles(buildSdkFiles());
console.log('sdk/dist');
