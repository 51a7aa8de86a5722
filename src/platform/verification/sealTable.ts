import { Data, Effect } from "effect"
import type { Position } from "../eventStore/EventStore.ts"
import { attempt, query, Sql, transaction } from "../sql/Sql.ts"
import type { Seal } from "./Seal.ts"

interface SealRow {
  readonly position: number
  readonly digest: Buffer
  readonly at: number
  readonly public_key: Buffer
  readonly signature: Buffer
}

const present = (row: SealRow): Seal => ({
  position: row.position,
  digest: row.digest.toString("hex"),
  at: row.at,
  publicKey: row.public_key.toString("base64"),
  signature: row.signature.toString("base64")
})

/** Every seal, in order of position; one an hour adds up, so only who checks all of them asks for it. */
export const readSeals: Effect.Effect<ReadonlyArray<Seal>, never, Sql> = Sql.use(({ client }) =>
  query(async () => {
    const rows = await client<Array<SealRow>>`
      select position, digest, at, public_key, signature from chronoforge.seals order by position`
    return rows.map(present)
  })
)

/** The last seal; undefined before there is one. */
export const readLastSeal: Effect.Effect<Seal | undefined, never, Sql> = Sql.use(({ client }) =>
  query(async () => {
    const [row] = await client<Array<SealRow>>`
      select position, digest, at, public_key, signature from chronoforge.seals order by position desc limit 1`
    return row && present(row)
  })
)

/** Somebody else made a seal meanwhile, so this one does not continue the last one. */
export class SealConflict extends Data.TaggedError("SealOvertaken") {}

/** Stores a seal that continues the one at `previous`; 0 for the first. */
export const writeSeal = Effect.fn("verification.writeSeal")(function* (seal: Seal, previous: Position) {
  const { client } = yield* Sql
  yield* transaction(client, (tx) =>
    Effect.gen(function* () {
      yield* query(() => tx`lock table chronoforge.seals in share row exclusive mode`)
      const [last] = yield* query(
        () => tx<Array<{ position: number }>>`select coalesce(max(position), 0) as position from chronoforge.seals`
      )
      if (last?.position !== previous) return yield* new SealConflict()
      yield* Effect.orDie(
        attempt(
          () => tx`
            insert into chronoforge.seals (position, digest, at, public_key, signature)
            values (${seal.position}, ${Buffer.from(seal.digest, "hex")}, ${seal.at},
              ${Buffer.from(seal.publicKey, "base64")}, ${Buffer.from(seal.signature, "base64")})`
        )
      )
    })
  )
})
