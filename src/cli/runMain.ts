import { Runtime } from "effect"

/** What tells the program to stop: Ctrl-C, `kill`, and the end of the terminal that it was started on. */
const stopping = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Runs the program as the whole of the process. A signal to stop interrupts it, so that it cleans up before it ends. */
export const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
  let isStopped = false
  const stop = () => {
    isStopped = true
    fiber.interruptUnsafe(fiber.id)
  }
  for (const signal of stopping) process.on(signal, stop)
  fiber.addObserver((exit) => {
    for (const signal of stopping) process.removeListener(signal, stop)
    teardown(exit, (code) => {
      if (isStopped || code !== 0) process.exit(code)
    })
  })
})
