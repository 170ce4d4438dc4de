/** What unpack.ts uses of the Brotli decoder, whose package declares its entry point only. */
declare module "hyparquet-compressors/src/brotli.streams.js" {
  export class BrotliOutput {
    buffer: Uint8Array;
    /** Bytes written. */
    pos: number;
  }
}

declare module "hyparquet-compressors/src/brotli.huffman.js" {
  export class HuffmanTreeGroup {
    num_htrees: number;
    decode(reader: unknown): void;
  }
}
