import { readSync, writeSync } from "node:fs"

/** What is to run. The body is its input. */
export interface Run {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** How it ended. The body is its standard output, and then its standard error. */
export interface Ran {
  readonly status: number | null
  readonly stdoutBytes: number
  /** Why it did not run, or not to its end. */
  readonly error?: string
}

const writeAll = (descriptor: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
}

/** Undefined at the end of the pipe. */
const readAll = (descriptor: number, length: number): Buffer | undefined => {
  const bytes = Buffer.allocUnsafe(length)
  for (let at = 0; at < length; ) {
    const read = readSync(descriptor, bytes, at, length - at, null)
    if (read === 0) return undefined
    at += read
  }
  return bytes
}

const lengthsBytes = 8

/** Two lengths of 4 bytes, the head as JSON, the body. */
export const writeMessage = (descriptor: number, message: Run | Ran, body: Uint8Array): void => {
  const head = Buffer.from(JSON.stringify(message))
  const lengths = Buffer.alloc(lengthsBytes)
  lengths.writeUInt32LE(head.length)
  lengths.writeUInt32LE(body.length, lengthsBytes / 2)
  writeAll(descriptor, Buffer.concat([lengths, head, body]))
}

/** Waits for a message, without the event loop; undefined at the end of the pipe. */
export const readMessage = <A extends Run | Ran>(descriptor: number): { readonly head: A; readonly body: Buffer } | undefined => {
  const lengths = readAll(descriptor, lengthsBytes)
  const head = lengths && readAll(descriptor, lengths.readUInt32LE())
  const body = lengths && readAll(descriptor, lengths.readUInt32LE(lengthsBytes / 2))
  return head && body && { head: JSON.parse(head.toString()), body }
}
