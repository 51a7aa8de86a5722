import { createConfig, lintFromString } from "@redocly/openapi-core"
import { expect, test } from "vitest"
import { routes } from "#src/composition.ts"
import { documentOf } from "./documentOf.ts"

const document = documentOf(
  routes.map(({ endpoint }) => endpoint),
  { version: "1.2.3", externalUrl: "https://forge.example" }
)

/**
 * `/projects/user/{user_id}` is as clients know it. Beside `/projects/{id}/…` it leaves unsaid which a request means; the service takes
 * the former, as no project has the name `user`.
 */
const isKnownAmbiguity = (message: string): boolean =>
  message.startsWith("Paths should resolve unambiguously.") &&
  message.includes("`/projects/user/{user_id}`") &&
  message.includes("`/projects/{id}/")

/** What only leads elsewhere has no other success. */
const leading = routes.filter(({ endpoint }) => endpoint.success.status === 302)

test("Redocly's recommended rules have nothing against the document, but for one path that is given, and redirections", async () => {
  const config = await createConfig({ extends: ["recommended"] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config })
  const told = problems.map(({ ruleId, message }) => ({ ruleId, message }))
  const [redirections, others] = [true, false].map((wanted) =>
    told.filter(({ ruleId }) => (ruleId === "operation-2xx-response") === wanted)
  )
  expect(others?.filter(({ message }) => !isKnownAmbiguity(message))).toEqual([])
  expect(redirections).toHaveLength(leading.length)
})
