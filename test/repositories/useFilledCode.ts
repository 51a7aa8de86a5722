import { beforeAll } from "vitest"
import { reconcileAll } from "#test/support/git/reconcileAll.ts"
import type { TestService } from "#test/support/service.ts"
import { type ProjectOptions, useStandardCode } from "./useCode.ts"

/** As `useStandardCode`, with everything recorded as if it had been pushed: `main` is the default branch, and protected. */
export const useFilledCode = (service: TestService, input: ProjectOptions = { path: "standard" }) => {
  const code = useStandardCode(service, input)
  beforeAll(() => service.run(reconcileAll([code().id])))
  return code
}
