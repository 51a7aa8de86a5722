import { globSync, readFileSync } from "node:fs"
import { Schema, SchemaAST } from "effect"
import { expect, it } from "vitest"
import { secretFields } from "#src/cli/history/secretFields.ts"
import { secretAnnotation } from "#src/platform/eventStore/secretTexts.ts"

type Found = ReadonlyArray<readonly [path: string, kind: string]>

/** The fields of a schema that keep secrets. */
const secretsIn = (ast: SchemaAST.AST, path = ""): Found => {
  const kind = SchemaAST.resolveAt<string>(secretAnnotation)(ast)
  if (kind !== undefined) return [[path, kind]]
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => secretsIn(type, path))
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest].flatMap((type) => secretsIn(type, path))
  if (!SchemaAST.isObjects(ast)) return []
  return ast.propertySignatures.flatMap(({ name, type }) =>
    secretsIn(type, path === "" ? String(name) : `${path}.${String(name)}`)
  )
}

const casesOf = (events: unknown): ReadonlyArray<readonly [type: string, schema: Schema.Top]> =>
  Object.entries(Object(Reflect.get(Object(events), "cases"))).filter((entry): entry is [string, Schema.Top] =>
    Schema.isSchema(entry[1])
  )

const filesWith = (pattern: RegExp): ReadonlyArray<string> =>
  globSync("src/**/*.ts")
    .filter((file) => pattern.test(readFileSync(file, "utf8")))
    .toSorted()

/** The schemas of all events of a file, by the names under which it makes codecs of them. */
const eventsOf = async (file: string) => {
  const names = [...readFileSync(file, "utf8").matchAll(/eventCodec\((\w+)/g)].map(([, name = ""]) => name)
  const path = `#${file}`
  const module: object = await import(path)
  return names.map((name) => ({ name: `${name} of ${file}`, cases: casesOf(Reflect.get(module, name)) }))
}

/** Names are reserved for what is there once. They are no secrets, but for digests of tokens, which have their own kind of name. */
const reservations = "src/platform/Reservations.ts"

const files = filesWith(/\beventCodec\(\w/).filter((file) => file !== reservations)
const unions = (await Promise.all(files.map(eventsOf))).flat()

it("knows the schemas of all events", () => {
  expect(unions.filter(({ cases }) => cases.length === 0).map(({ name }) => name)).toEqual([])
})

it("lists exactly the fields of events whose schema is that of a secret", () => {
  const found = unions
    .flatMap(({ cases }) => cases)
    .map(([type, schema]) => [type, Object.fromEntries(secretsIn(schema.ast))] as const)
    .filter(([, fields]) => Object.keys(fields).length > 0)
  expect(secretFields).toEqual(Object.fromEntries(found))
})

// Whoever seals something, or makes a digest of a secret, elsewhere, gives the field of the event that keeps it the schema of a secret, too.
it("knows all places that seal a text, and all that make a digest of a token or password", () => {
  expect(filesWith(/\bseal\(/)).toEqual([
    "src/clusters/writes.ts",
    "src/imports/work/sealedCredentials.ts",
    "src/pipelines/variables.ts",
    "src/schedules/variables/writes.ts"
  ])
  expect(filesWith(/\b(?:digestPassword|tokenDigest)\(/)).toEqual([
    "src/tokens/authentication/authenticator.ts",
    "src/tokens/issue/ensureToken.ts",
    "src/tokens/issue/issue.ts",
    "src/users/lifecycle/createHandlers.ts",
    "src/users/lifecycle/updateHandlers.ts"
  ])
})
