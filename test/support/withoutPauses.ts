/** What sliced work makes, in one go. */
export const withoutPauses = <A>(work: Generator<void, A, void>): A => {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}
