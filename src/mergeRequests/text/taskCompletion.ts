/** The tasks of a description, and how many of them are done. */
export interface TaskCompletion {
  readonly count: number
  readonly completedCount: number
}

/** What opens or closes a block of code, in which nothing is a task. */
const fence = /^ {0,3}(`{3,}|~{3,})/
const task = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX~])\]\s/

/** Counts items of lists that begin with a box to check. */
export const taskCompletion = (text: string): TaskCompletion => {
  let opened: string | undefined
  const boxes: Array<string> = []
  for (const line of text.split("\n")) {
    const [, mark] = fence.exec(line) ?? []
    if (mark !== undefined && opened === undefined) opened = mark
    else if (mark !== undefined && opened !== undefined && mark.startsWith(opened)) opened = undefined
    if (opened !== undefined) continue
    const [, box] = task.exec(`${line} `) ?? []
    if (box !== undefined && box !== "~") boxes.push(box)
  }
  return { count: boxes.length, completedCount: boxes.filter((box) => box !== " ").length }
}
