import { Effect } from "effect"
import { begin, type Exchange, finish, send } from "../exchange.ts"
import { startTimer } from "../transferTimer.ts"
import type { SharedPack } from "./SharedPacks.ts"

/**
 * Answers with a pack, or what there is, which others may be given too, as fast as the client takes it. A client that takes nothing, and one whose pack breaks
 * off, is disconnected. Interrupting gives the pack up.
 */
export const sendPack = (
  exchange: Exchange,
  { content }: Pick<SharedPack, "content">,
  options: { readonly contentType: string; readonly idleMillis: number; readonly totalMillis: number }
): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const { response } = exchange
    const breakOff = () => response.destroy()
    const clock = startTimer(options, breakOff, () => response.writableNeedDrain)
    const wake = () => {
      clock.touch(0)
      content.resume()
    }
    const settle = () => {
      clock.end()
      response.off("drain", wake)
      response.off("close", settle)
      content.destroy()
      resume(Effect.void)
    }
    begin(exchange, options.contentType)
    response.on("drain", wake)
    response.once("close", settle)
    content.on("data", (chunk: Buffer) => {
      clock.touch(chunk.length)
      if (!send(exchange, options.contentType, chunk)) content.pause()
    })
    content.once("error", breakOff)
    content.once("end", () => {
      finish(exchange)
      settle()
    })
    return Effect.sync(settle)
  })
