import type { Duplex } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import type { RefUpdate } from "../pushPolicy.ts"

/** What the hooks of a push show before anything moves. */
export interface PushQuestion {
  readonly updates: ReadonlyArray<RefUpdate>
  readonly options: ReadonlyArray<string>
  /** Name of the folder, in that of the objects, with what came along; "" when nothing did. */
  readonly quarantine: string
}

const idOrNull = (text: string): string | null => (/^0+$/.test(text) ? null : text)

/** Of one line, in characters; hooks write no longer ones. */
const longestLine = 256 * 1024

/** The conversation with the hooks of one push: `src/git/hooks`. */
export class PushDialogue {
  readonly #channel: Duplex
  readonly #updates: Array<RefUpdate> = []
  readonly #options: Array<string> = []
  #quarantine = ""
  #allowed: ReadonlySet<string> = new Set()

  /** `onQuestion` is called at most once. Nothing moves without an answer. */
  constructor(channel: Duplex, onQuestion: (question: PushQuestion) => void) {
    this.#channel = channel
    const decoder = new StringDecoder("utf8")
    let text = ""
    channel.on("data", (chunk: Buffer) => {
      const lines = (text + decoder.write(chunk)).split("\n")
      text = lines.pop() ?? ""
      if (text.length > longestLine) channel.destroy()
      for (const line of lines) this.#hear(line, onQuestion)
    })
  }

  /** Lets these refs move; none: the push as a whole is turned away, and what came with it is thrown away. */
  answer(allowed: ReadonlySet<string>): void {
    this.#allowed = allowed
    this.#say(allowed.size > 0)
  }

  #say(isGo: boolean): void {
    if (this.#channel.writable) this.#channel.write(isGo ? "go\n" : "stop\n")
  }

  #hear(line: string, onQuestion: (question: PushQuestion) => void): void {
    const space = line.indexOf(" ")
    const [word, rest] = space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)]
    if (word === "option") this.#options.push(rest)
    else if (word === "quarantine") this.#quarantine = rest
    else if (word === "update") {
      const [before = "", after = "", ...ref] = rest.split(" ")
      this.#updates.push({ ref: ref.join(" "), before: idOrNull(before), after: idOrNull(after) })
    } else if (word === "ask") onQuestion({ updates: this.#updates, options: this.#options, quarantine: this.#quarantine })
    else if (word === "ref") this.#say(this.#allowed.has(rest))
  }
}
