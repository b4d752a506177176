// Loaded before a test file: notes at the end which mutants the file has run.
import { writeFileSync } from 'node:fs';
import { coverage } from './switch-mutants.ts';

const path = process.env.PROOF_COVERAGE_FILE;
process.on('exit', () => {
  if (path) writeFileSync(path, JSON.stringify(Object.keys(coverage())));
});
