/** The part of pngjs that the tests use; it brings no types of its own. */
declare module 'pngjs' {
  export const PNG: {
    readonly sync: {
      read(bytes: Buffer): {
        readonly width: number;
        readonly height: number;
        readonly data: Buffer;
      };
    };
  };
}
