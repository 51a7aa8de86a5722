import type { Client } from "#src/platform/sql/Sql.ts"

const textOf = (first: unknown): string | undefined =>
  Array.isArray(first) && "raw" in first ? first.map(String).join("?") : undefined

/** A client that notes the texts of its statements, with `?` for values. Transactions and reserved connections are not noted. */
export const recordStatements = (client: Client, statements: Array<string>): Client =>
  new Proxy(client, {
    apply: (target, self, args) => {
      const text = textOf(args[0])
      if (text !== undefined) statements.push(text)
      return Reflect.apply(target, self, args)
    },
    get: (target, name) => {
      if (name === "variant")
        return (...args: Parameters<Client["variant"]>) => {
          statements.push(args[0])
          return target.variant(...args)
        }
      if (name !== "unsafe") return Reflect.get(target, name)
      return (...args: Parameters<Client["unsafe"]>) => {
        statements.push(args[0])
        return target.unsafe(...args)
      }
    }
  })
