/** See node-flags.mjs; for what is TypeScript. */
export const NODE_FLAGS: readonly string[];
