const stages: Readonly<Record<string, { readonly start: number; readonly share: number }>> = {
  "Receiving objects": { start: 0, share: 80 },
  "Resolving deltas": { start: 80, share: 19 }
}

/** How far a fetch has come, in percent, by a line of `git fetch --progress`; undefined for a line that tells nothing of it. */
export const percentOf = (line: string): number | undefined => {
  const [, name = "", percent] = /^(Receiving objects|Resolving deltas): +(\d{1,3})% \(/.exec(line) ?? []
  const stage = stages[name]
  return stage === undefined ? undefined : Math.floor(stage.start + (Math.min(100, Number(percent)) / 100) * stage.share)
}
