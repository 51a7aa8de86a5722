import { Context, Effect, Layer } from "effect"
import { LRUCache } from "lru-cache"
import { CurrentWork } from "../platform/work/CurrentWork.ts"
import { FairQueue } from "../platform/work/FairQueue.ts"
import { paragraph } from "./escapeHtml.ts"
import { Thread } from "./Thread.ts"

/** The longest text, in characters, that is rendered. */
const maxRendered = 2 ** 16
/** Texts and their HTML, in characters, that are kept. */
const maxKept = 4 * 2 ** 20
const turns = { concurrency: 1, maxQueued: 1_000, maxQueuedPerCaller: 100, timeoutMillis: 30_000 }

/** Whether a text is one line without anything that Markdown reads otherwise than it is written. */
export const isPlain = (text: string): boolean => /^\p{L}[^\n\r\0*_`~[\]<\\:&]*$/u.test(text)

const makeMarkdown = Effect.gen(function* () {
  const kept = new LRUCache<string, string>({ maxSize: maxKept, sizeCalculation: (html, text) => html.length + text.length })
  const queue = new FairQueue(turns)
  const thread = new Thread()
  yield* Effect.addFinalizer(() => Effect.sync(() => thread.end()))

  const renderInThread = (text: string) =>
    Effect.callback<string>((resume) => {
      thread.render(text, (html) => {
        // Where the thread failed, the next one may not.
        if (html !== undefined) kept.set(text, html)
        resume(Effect.succeed(html ?? paragraph(text)))
      })
    })
  return {
    render: Effect.fnUntraced(function* (text: string) {
      const trimmed = text.trim()
      if (trimmed === "") return ""
      if (isPlain(trimmed)) return paragraph(trimmed)
      if (text.length > maxRendered) return paragraph(text)
      const known = kept.get(text)
      if (known !== undefined) return known
      const { caller } = yield* CurrentWork
      // Who waited for the same text finds it then.
      const rendered = Effect.suspend(() => {
        const html = kept.get(text)
        return html === undefined ? Effect.uninterruptible(renderInThread(text)) : Effect.succeed(html)
      })
      return yield* Effect.orDie(queue.run({ caller }, rendered))
    })
  }
})

/** Makes HTML of texts in Markdown. */
export class Markdown extends Context.Service<
  Markdown,
  {
    /**
     * HTML that is safe to show, with tables, struck text and links from bare addresses. HTML in the text is shown as it is written. A text
     * that is too long or too dear, or whose HTML would be too long, is one paragraph without Markdown. It takes a thread of its own, in
     * which callers have their turns; the same text comes to the same.
     * Gap: references to issues and people, task lists and emoji are left as they are written.
     */
    readonly render: (text: string) => Effect.Effect<string>
  }
>()("chronoforge/markdown/Markdown") {
  static readonly layer = Layer.effect(Markdown, makeMarkdown)
}
