// Loads what nearly every test process loads. When this process ends, Node.js keeps the compiled
// code; eight processes at once would each take the types out of the same thousand files.
await Promise.all([
  import('./service/service.ts'),
  import('./console/console-client.ts'),
  import('./browser/axe.ts'),
  import('./browser/browser.ts'),
]);
process.exit();
