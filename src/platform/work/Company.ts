/**
 * Callers who wait for one and the same work. It begins in the turn of whoever of them comes first, so that nobody waits behind all else that
 * another one asked for.
 */
export class Company {
  readonly #callers = new Set<string>()
  readonly #waiting = new Set<(caller: string) => void>()

  /** One more caller, whose turn counts from now on. */
  join(caller: string): void {
    if (this.#callers.has(caller)) return
    this.#callers.add(caller)
    for (const queue of this.#waiting) queue(caller)
  }

  /** Queues each caller who is there, and each who comes until the answer is called. */
  queueEach(queue: (caller: string) => void): () => void {
    this.#waiting.add(queue)
    for (const caller of this.#callers) queue(caller)
    return () => this.#waiting.delete(queue)
  }
}
