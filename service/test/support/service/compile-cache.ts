const { NODE_COMPILE_CACHE: folder } = process.env;

/** For the environment of a process of ours: compiles no file again that the test run has
 *  compiled already, which is half of the time that a command takes. */
export const compileCache: Readonly<Record<string, string>> = folder
  ? { NODE_COMPILE_CACHE: folder }
  : {};
