import { hash } from "node:crypto"
import { Effect, Schedule } from "effect"
import { uuidOf, uuidV7 } from "../../kernel/uuid.ts"
import type { RequestRun } from "../../platform/repeats/CurrentRun.ts"
import { attempt, type Client, query, Sql } from "../../platform/sql/Sql.ts"
import { badRequest, conflict, secretIsGone, unprocessable, type WireError } from "../answer/errors.ts"
import { isFields, type RawParameters } from "../request/rawParameters.ts"

/** How long an answer is remembered, and after which time a request that never answered may be repeated. */
const remembered = "24 hours"
const abandoned = "2 minutes"
/** A request that runs says so this often. */
const renewal = "30 seconds"
const maxKeyLength = 255

export interface IdempotentRequest {
  /** Id of the user who asks. */
  readonly caller: number
  readonly key: string
  readonly method: string
  /** Percent-encoded, as sent. */
  readonly path: string
  /** From wherever they were sent; credentials among them do not count. */
  readonly parameters: RawParameters
  /** Id of the token where it is what the request is about. */
  readonly tokenId?: number
}

/** An answer as it is remembered. */
export interface RememberedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface AnswerRow {
  readonly fingerprint: Buffer
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
  readonly secret_of: string | null
}

/** Not part of what is asked: a client may repeat a request with another token, in another place. */
const credentials: ReadonlySet<string> = new Set(["private_token", "access_token", "job_token"])

const sorted = (fields: RawParameters) =>
  Object.fromEntries(
    Object.keys(fields)
      .toSorted()
      .map((name) => [name, fields[name]])
  )

/** JSON with sorted names, so that equal values have equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (isFields(inner) ? sorted(inner) : inner))

const fingerprintOf = ({ method, parameters, path, tokenId }: IdempotentRequest): Buffer => {
  const asked = Object.entries(parameters).filter(([name]) => !credentials.has(name))
  return hash("sha256", canonical([method, path, Object.fromEntries(asked), tokenId ?? null]), "buffer")
}

/** What a repeat after a crash has to find again. */
interface Run {
  /** Told apart from runs under the same key on other days: its commands have ids of their own. */
  readonly run: string
  /** Whether an earlier run of the request was cut short. */
  readonly isRepeat: boolean
  readonly ids: ReadonlyArray<number>
}

/** Whether the row in the way is this very request, which never got to an answer. */
const isAbandoned = (sql: Client) => sql`(a.status is null and a.fingerprint = excluded.fingerprint)`

/** Takes the key for this request; nothing when another request has it. */
const claim = Effect.fnUntraced(function* (sql: Client, request: IdempotentRequest, fingerprint: Buffer) {
  const fresh = uuidV7()
  const [row] = yield* query(
    () => sql<Array<{ readonly run: string; readonly ids: ReadonlyArray<number> }>>`
      insert into chronoforge.idempotent_answers as a (caller, key, fingerprint, run)
      values (${request.caller}, ${request.key}, ${fingerprint}, ${fresh})
      on conflict (caller, key) do update set started_at = now(), fingerprint = excluded.fingerprint, status = null, headers = null,
        body = null, secret_of = null,
        run = case when ${isAbandoned(sql)} then a.run else excluded.run end,
        ids = case when ${isAbandoned(sql)} then a.ids else '{}' end
      where a.started_at < now() - ${remembered}::interval or (${isAbandoned(sql)} and a.started_at < now() - ${abandoned}::interval)
      returning run, ids`
  )
  const run: Run | undefined = row && { ...row, isRepeat: row.run !== fresh }
  return run
})

const previous = (row: AnswerRow, fingerprint: Buffer): Effect.Effect<RememberedAnswer, WireError> => {
  if (!row.fingerprint.equals(fingerprint)) {
    return Effect.fail(unprocessable("Idempotency-Key was used for another request: method, path or parameters differ"))
  }
  if (row.status === null) return Effect.fail(conflict("A request with this Idempotency-Key is still running"))
  if (row.secret_of !== null) return Effect.fail(secretIsGone(row.secret_of))
  return Effect.succeed({ status: row.status, headers: row.headers ?? {}, body: row.body ?? "" })
}

/** A request that is the first, or the first to get through: it must run, and end with `remember` or `reopen`. */
export interface Claimed {
  readonly _tag: "Claimed"
  readonly run: RequestRun
}

const claimed = (sql: Client, request: IdempotentRequest, { run, ids: known, isRepeat }: Run): Claimed => {
  const commands = new Map<string, number>()
  const commandId = (stream: string, index: number) => uuidOf(`${run}/${stream}/${index}`)
  let ids = 0
  const note = (id: number) =>
    query(
      () => sql`update chronoforge.idempotent_answers set ids = ids || ${id}::bigint
        where caller = ${request.caller} and key = ${request.key}`
    )
  return {
    _tag: "Claimed",
    run: {
      isRepeat,
      firstCommandId: (stream) => commandId(stream, 0),
      nextCommandId: (stream) => {
        const index = commands.get(stream) ?? 0
        commands.set(stream, index + 1)
        return commandId(stream, index)
      },
      remembered: () => known[ids],
      remember: (fresh) => {
        const earlier = known[ids++]
        return earlier === undefined ? Effect.tap(fresh, note) : Effect.succeed(earlier)
      }
    }
  }
}

/**
 * The first answer to this request if there is one; otherwise the request is claimed. Refuses another request under the same
 * key (422), a first one that is still running and an answer that carried a secret (409).
 */
export const recall: (
  request: IdempotentRequest
) => Effect.Effect<Claimed | ({ readonly _tag: "Answered" } & RememberedAnswer), WireError, Sql> = Effect.fnUntraced(
  function* (request) {
    if (request.key.length > maxKeyLength) {
      return yield* badRequest(`400 Bad request - Idempotency-Key is longer than ${maxKeyLength} characters`)
    }
    const { client } = yield* Sql
    const fingerprint = fingerprintOf(request)
    const mine = yield* claim(client, request, fingerprint)
    if (mine !== undefined) return claimed(client, request, mine)
    const [row] = yield* query(
      () => client<Array<AnswerRow>>`
        select fingerprint, status, headers, body, secret_of from chronoforge.idempotent_answers
        where caller = ${request.caller} and key = ${request.key}`
    )
    return row === undefined ? yield* recall(request) : { _tag: "Answered", ...(yield* previous(row, fingerprint)) }
  }
)

/** Remembers the answer for those who repeat the request. Of an answer with a secret only its name is kept. */
export const remember = (
  request: IdempotentRequest,
  answer: RememberedAnswer,
  secretOf?: string
): Effect.Effect<void, never, Sql> =>
  Sql.use(({ client }) =>
    query(
      () => client`
        update chronoforge.idempotent_answers set status = ${answer.status},
          headers = ${secretOf === undefined ? client.json({ ...answer.headers }) : null},
          body = ${secretOf === undefined ? answer.body : null}, secret_of = ${secretOf ?? null}
        where caller = ${request.caller} and key = ${request.key}`
    )
  ).pipe(Effect.asVoid)

/** Says again and again that the request still runs, which may take longer than one that is taken for dead. Never ends. */
export const keepClaim = (request: IdempotentRequest): Effect.Effect<never, never, Sql> =>
  Sql.use(({ client }) =>
    attempt(
      // One that comes late must not undo `reopen`.
      () => client`update chronoforge.idempotent_answers set started_at = now()
        where caller = ${request.caller} and key = ${request.key} and status is null
          and started_at > now() - ${abandoned}::interval`
    )
  ).pipe(Effect.ignore, Effect.repeat(Schedule.spaced(renewal)), Effect.delay(renewal), Effect.andThen(Effect.never))

/** Lets the same request be sent again at once: it failed for no fault of its own. What it wrote is not written twice. */
export const reopen = (request: IdempotentRequest): Effect.Effect<void, never, Sql> =>
  Sql.use(({ client }) =>
    query(
      () => client`update chronoforge.idempotent_answers set started_at = now() - ${abandoned}::interval - interval '1 second'
        where caller = ${request.caller} and key = ${request.key} and status is null`
    )
  ).pipe(Effect.asVoid)

/** Removes answers older than 24 hours. */
export const dropOldAnswers: Effect.Effect<void, never, Sql> = Sql.use(({ client }) =>
  query(() => client`delete from chronoforge.idempotent_answers where started_at < now() - ${remembered}::interval`)
).pipe(Effect.asVoid)
