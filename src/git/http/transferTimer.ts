import type { LeastRate } from "../../platform/work/LeastRate.ts"

export interface TransferTimer {
  /** Marks traffic on the connection: so many bytes. */
  readonly touch: (bytes: number) => void
  /** Lets only the total time count from here on. */
  readonly ignoreIdle: () => void
  readonly end: () => void
}

export interface TransferTimerOptions {
  readonly idleMillis: number
  readonly totalMillis: number
  /** How slow the client may be; without it, as slow as it likes. */
  readonly rate?: LeastRate
}

/**
 * Calls back once, when nothing moved for `idleMillis` milliseconds, the client is too slow or `totalMillis` have passed. Time in which it is
 * not the client that is waited for counts only for the last.
 */
export const startTimer = (
  { idleMillis, rate, totalMillis }: TransferTimerOptions,
  expire: () => void,
  isClientAwaited: () => boolean = () => true
): TransferTimer => {
  const deadline = performance.now() + totalMillis
  let idleSince = performance.now()
  let lookedAt = idleSince
  const timer = setInterval(
    () => {
      const now = performance.now()
      if (!isClientAwaited()) idleSince = Math.max(idleSince, now)
      else if (idleSince < now) rate?.waited(now - lookedAt)
      lookedAt = now
      const isTooSlow = rate?.leftMillis === 0
      if (now < deadline && now - idleSince < idleMillis && !isTooSlow) return
      clearInterval(timer)
      expire()
    },
    Math.min(1_000, idleMillis / 4)
  )
  return {
    touch: (bytes) => {
      idleSince = Math.max(idleSince, performance.now())
      rate?.moved(bytes)
    },
    ignoreIdle: () => {
      idleSince = Number.POSITIVE_INFINITY
    },
    end: () => clearInterval(timer)
  }
}
