import fc from "fast-check"
import { expect, it } from "vitest"
import { taskCompletion } from "#src/mergeRequests/text/taskCompletion.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

it.each([
  ["", 0, 0],
  ["- [ ] a\n- [x] b\n* [X] c\n+ [x] d\n1. [ ] e\n2) [x] f", 6, 4],
  ["- [ ]\n- [x]\r\n", 2, 1],
  ["  - [x] nested", 1, 1],
  ["> - [x] quoted\n> > - [ ] twice", 2, 1],
  ["- [~] given up", 0, 0],
  ["- [x]b\n-[x] c\n[x] d\n- [] e\n- [xx] f\n- [y] g\nx - [x] h\n-- [x] i", 0, 0],
  ["```\n- [x] code\n```\n- [ ] text", 1, 0],
  ["~~~~\n- [x] a\n~~~\n- [x] b\n~~~~\n- [x] c", 1, 1],
  ["<!--\n- [x] comment\n-->\n- [ ] text", 1, 0]
])("the tasks of %j are %d, done %d", (text, count, completedCount) => {
  expect(taskCompletion(text)).toEqual({ count, completedCount })
})

it("counts each item once", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (done) => {
      const text = done.map((isDone) => `- [${isDone ? "x" : " "}] task`).join("\n")
      expect(taskCompletion(text)).toEqual({ count: done.length, completedCount: done.filter((isDone) => isDone).length })
    })
  )
})

it.each(["- [x] a\n", "1", " ", "- [", "-  ", "> "])("takes linear time for a MiB of %j", (part) => {
  const begun = cpuMillis()
  taskCompletion(part.repeat(2 ** 20 / part.length))
  expect(cpuMillis() - begun).toBeLessThan(3_000)
})
