import type { Duplex } from "node:stream"
import { StringDecoder } from "node:string_decoder"
import type { RefUpdate } from "../../refs/pushedRefs.ts"
import { flush, PacketReader, packet } from "../packets.ts"

/** What the hooks of a push show before anything moves. */
export interface PushQuestion {
  readonly updates: ReadonlyArray<RefUpdate>
  readonly options: ReadonlyArray<string>
  /** The name of the quarantine folder, within that of the objects; undefined when the push has no objects. */
  readonly quarantine: string | undefined
}

const idOrNull = (text: string): string | null => (/^0+$/.test(text) ? null : text)

/** A line of the hooks has at most this many characters. */
const maxLineLength = 256 * 1024

/** The reply of the protocol of `proc-receive` by which a ref moves as if there were no hook. */
const acceptReply = (ref: Buffer): Buffer =>
  Buffer.concat([packet(Buffer.concat([Buffer.from("ok "), ref])), packet("option fall-through")])
const rejectReply = (ref: Buffer): Buffer => packet(Buffer.concat([Buffer.from("ng "), ref, Buffer.from(" refused")]))

/** The bytes of the ref in a command `<before> <after> <ref>`. */
const refOf = (command: Buffer): Buffer => command.subarray(command.indexOf(" ", command.indexOf(" ") + 1) + 1)

/**
 * The conversation with the hooks of one push: `src/git/hooks`. First lines, in which `pre-receive` shows everything and waits for
 * an answer; then the packets of `proc-receive`, in which git asks which refs may move. So a push costs the same processes whatever
 * the number of its refs.
 */
export class HookDialogue {
  readonly #channel: Duplex
  readonly #updates: Array<RefUpdate> = []
  readonly #options: Array<string> = []
  #quarantine: string | undefined
  #allowed: ReadonlySet<string> | undefined

  /** `onQuestion` is called at most once. Nothing moves without an answer. */
  constructor(channel: Duplex, onQuestion: (question: PushQuestion) => void) {
    this.#channel = channel
    const decoder = new StringDecoder("utf8")
    const reader = new PacketReader()
    let text = ""
    let isGreeting = true
    let commands: Array<Buffer> = []
    channel.on("data", (chunk: Buffer) => {
      if (this.#allowed === undefined) {
        const lines = (text + decoder.write(chunk)).split("\n")
        text = lines.pop() ?? ""
        if (text.length > maxLineLength) channel.destroy()
        for (const line of lines) this.#receive(line, onQuestion)
        return
      }
      for (const content of reader.take(chunk) ?? []) {
        if (content !== undefined) commands.push(content)
        else if (isGreeting) {
          isGreeting = false
          commands = []
          this.#send(Buffer.concat([packet("version=1\n"), flush]))
        } else this.#judge(commands, this.#allowed)
      }
    })
  }

  /** Lets these refs move. Without any, the whole push is rejected and its objects are discarded. */
  answer(allowed: ReadonlySet<string>): void {
    this.#allowed = allowed
    this.#send(allowed.size > 0 ? "go\n" : "stop\n")
  }

  /** Replies to the commands; the hook waits for the end of the channel. */
  #judge(commands: ReadonlyArray<Buffer>, allowed: ReadonlySet<string>): void {
    const verdicts = commands.map(refOf).map((ref) => (allowed.has(ref.toString("utf8")) ? acceptReply(ref) : rejectReply(ref)))
    this.#send(Buffer.concat([...verdicts, flush]))
    this.#channel.end()
  }

  #send(words: string | Buffer): void {
    if (this.#channel.writable) this.#channel.write(words)
  }

  #receive(line: string, onQuestion: (question: PushQuestion) => void): void {
    const space = line.indexOf(" ")
    const [word, rest] = space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)]
    if (word === "option") this.#options.push(rest)
    else if (word === "quarantine") this.#quarantine = rest === "" ? undefined : rest
    else if (word === "update") {
      const [before = "", after = "", ...ref] = rest.split(" ")
      this.#updates.push({ ref: ref.join(" "), before: idOrNull(before), after: idOrNull(after) })
    } else if (word === "ask") onQuestion({ updates: this.#updates, options: this.#options, quarantine: this.#quarantine })
  }
}
