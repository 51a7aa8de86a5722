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

test("Redocly's recommended rules have nothing against the document, but for one path that is given", async () => {
  const config = await createConfig({ extends: ["recommended"] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config })
  const told = problems.map(({ ruleId, message }) => ({ ruleId, message }))
  expect(told.filter(({ message }) => !isKnownAmbiguity(message))).toEqual([])
})
