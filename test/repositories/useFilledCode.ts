import { beforeAll } from "vitest"
import { reconcile } from "#src/pushes/reconcile.ts"
import type { TestService } from "#test/support/service.ts"
import { type ProjectWish, useStandardCode } from "./useCode.ts"

/** As `useStandardCode`, with everything recorded as if it had been pushed: `main` is the default branch, and protected. */
export const useFilledCode = (service: TestService, wish: ProjectWish = { path: "standard" }) => {
  const code = useStandardCode(service, wish)
  beforeAll(() => service.run(reconcile))
  return code
}
