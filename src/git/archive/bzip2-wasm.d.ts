declare module "bzip2-wasm" {
  export default class BZip2 {
    init(): Promise<void>
    /** `blockSize` in 100,000 bytes, from 1 to 9. Throws when the result is longer than `compressedSize` bytes. */
    compress(decompressed: Uint8Array, blockSize: number, compressedSize: number): Uint8Array
    /** The content of the first stream. Throws when it is longer than `decompressedSize` bytes. */
    decompress(compressed: Uint8Array, decompressedSize: number): Uint8Array
  }
}
