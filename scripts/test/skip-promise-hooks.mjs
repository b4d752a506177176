// Loaded into every test process before node:test. That module follows each asynchronous resource,
// to know which test an uncaught error belongs to. Following every promise took a fifth of the CPU
// of the tests that call most. Without the promises, such an error names the file alone.
import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const { createHook } = asyncHooks;

if (process.env.NODE_TEST_CONTEXT) {
  asyncHooks.createHook = (options) => createHook({ ...options, trackPromises: false });
  syncBuiltinESMExports();
}
