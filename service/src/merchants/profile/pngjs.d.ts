/** The part of pngjs that is used; it brings no types of its own. */
declare module 'pngjs' {
  interface Image {
    readonly width: number;
    readonly height: number;
    /** Four bytes a pixel: red, green, blue, alpha. */
    readonly data: Buffer;
  }
  export const PNG: {
    readonly sync: {
      read(bytes: Buffer): Image;
      write(
        image: Image,
        options?: { readonly colorType?: number; readonly deflateLevel?: number },
      ): Buffer;
    };
  };
}
