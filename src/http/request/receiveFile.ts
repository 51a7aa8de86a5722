import { Effect } from "effect"
import { MultipartParser } from "effect/http"
import { invalidParameters, payloadTooLarge, type WireError } from "../answer/errors.ts"
import { arrivingFile } from "./arrivingFile.ts"
import { malformedMultipart, tooManyParameters } from "./errors.ts"
import type { Incoming } from "./Incoming.ts"
import { maxBodyBytes, maxParameters } from "./limits.ts"
import { type ReceiveOptions, receiveBody } from "./saveBody.ts"

type Received = Pick<Incoming, "body" | "headers">

export interface FileOptions extends ReceiveOptions {
  /** The name of the part. `limit` is that of its content. */
  readonly part: string
  /** Takes the next piece of the file; nothing is read until it is done. */
  readonly take: (piece: Uint8Array) => Promise<void>
}

/** What a multipart body has come to so far. */
class FileParser {
  /** The name of the file as it was sent; undefined before it comes. */
  filename: string | undefined
  /** What keeps the body from being taken; it is said when the body is over, or at once where nothing more is read. */
  error: WireError | undefined
  #pieces: Array<Uint8Array> = []
  readonly #parser: MultipartParser.Parser
  readonly #part: string

  constructor(contentType: string, part: string) {
    this.#part = part
    this.#parser = MultipartParser.make({
      headers: { "content-type": contentType },
      maxParts: maxParameters,
      // No part is collected in memory: those that nobody wants are passed over.
      isFile: () => true,
      // What follows the closing boundary arrives without a header.
      onFile: (info: MultipartParser.PartInfo | undefined) => this.#takerOf(info),
      onField: () => this.#fail(malformedMultipart),
      onError: ({ _tag }) => this.#fail(_tag === "ReachedLimit" ? tooManyParameters("request body") : malformedMultipart),
      onDone: () => {}
    })
  }

  /** The pieces of the file in these bytes. */
  write(bytes: Uint8Array): ReadonlyArray<Uint8Array> {
    this.#pieces = []
    this.#parser.write(bytes)
    if (this.error !== undefined) throw this.error
    return this.#pieces
  }

  /** Takes the end of the body. */
  end(): void {
    this.#parser.end()
  }

  #fail(error: WireError): void {
    this.error ??= error
  }

  #takerOf(info: MultipartParser.PartInfo | undefined): (piece: Uint8Array | null) => void {
    if (info === undefined) this.#fail(malformedMultipart)
    if (info?.name !== this.#part || info.filename === "") return () => {}
    // Gap: of two files the reference takes the last one, without a word of the other.
    if (info.filename === undefined || this.filename !== undefined) this.#fail(invalidParameters([`${this.#part} is invalid`]))
    this.filename ??= info.filename
    return (piece) => {
      if (piece !== null) this.#pieces.push(piece)
    }
  }
}

const isMultipart = (contentType: string): boolean => /^multipart\/form-data\s*(;|$)/i.test(contentType.trim())

/**
 * Takes the file in a part of a multipart body as it comes, has it judged, and answers its name as it was sent. Other parts are passed
 * over. Fails as `receiveBody`, and where the part is missing, is no file or comes twice.
 */
export const receiveFile = Effect.fnUntraced(function* (request: Received, { limit, part, take, ...options }: FileOptions) {
  const missing = invalidParameters([`${part} is missing`])
  const { "content-type": contentType = "", "content-encoding": encoding = "identity" } = request.headers
  if (!isMultipart(contentType) || encoding.toLowerCase() !== "identity") return yield* missing
  const parser = new FileParser(contentType, part)
  const arriving = yield* arrivingFile
  let bytes = 0
  // Names, boundaries and other parts may take as much as a body without a file.
  yield* receiveBody(request, { ...options, limit: limit + maxBodyBytes }, async (body) => {
    for (const piece of parser.write(body)) {
      bytes += piece.length
      if (bytes > limit) throw payloadTooLarge
      arriving.add(piece)
      await take(piece)
    }
  })
  parser.end()
  if (parser.error !== undefined) return yield* parser.error
  const name = parser.filename ?? (yield* missing)
  yield* arriving.end(name)
  return name
})

const nothing = () => Promise.resolve()

/** Reads the file that a request sends again, for nothing but to have it judged. */
export const rereadFile = Effect.fnUntraced(function* (
  request: Received,
  takesFile: true | { readonly part: string },
  receiving: Pick<ReceiveOptions, "limit" | "idleMillis">
) {
  const options = { ...receiving, disk: { growTo: () => true } }
  if (takesFile !== true) return yield* Effect.asVoid(receiveFile(request, { ...options, ...takesFile, take: nothing }))
  const arriving = yield* arrivingFile
  yield* receiveBody(request, options, async (piece) => arriving.add(piece))
  yield* arriving.end()
})
