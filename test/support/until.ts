/** Asks again until it is so; fails after 30 seconds. For what tells nobody when it comes about. */
export const until = async (claim: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 30_000
  while (!(await claim())) {
    if (performance.now() > deadline) throw new Error(`it did not come about within 30 seconds: ${claim}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
