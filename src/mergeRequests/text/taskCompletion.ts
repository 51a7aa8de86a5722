import { textLines } from "./textLines.ts"

/** The tasks of a description, and how many of them are done. */
export interface TaskCompletion {
  readonly count: number
  readonly completedCount: number
}

/** It is counted with each change of a description, beside all else. */
const maxLines = 20_000

const task = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[([ xX])\](?:[ \t]|$)/

/** Counts items of lists that begin with a box to check, in quotes too, but not in code. Gap: tasks that do not apply, `[~]`, are none, nor are those behind the first lines of a very long one. */
export const taskCompletion = (text: string): TaskCompletion => {
  let count = 0
  let completedCount = 0
  let lines = 0
  for (const line of textLines(text)) {
    if (lines++ === maxLines) break
    const box = line.isText ? task.exec(line.text)?.[1] : undefined
    if (box === undefined) continue
    count++
    if (box !== " ") completedCount++
  }
  return { count, completedCount }
}
