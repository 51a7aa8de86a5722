/** Asks again until it is so; fails after two minutes. For what tells nobody when it comes about. */
export const until = async (claim: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + 120_000
  while (!(await claim())) {
    if (performance.now() > deadline) throw new Error(`it did not come about within two minutes: ${claim}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
