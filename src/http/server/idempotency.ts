import { hash } from "node:crypto"
import { Effect, Schedule } from "effect"
import { uuidOf, uuidV7 } from "../../kernel/uuid.ts"
import type { RequestRun } from "../../platform/CurrentRun.ts"
import { attempt, type Client, query, Sql } from "../../platform/sql/Sql.ts"
import { badRequest, conflict, secretIsGone, unprocessable, type WireError } from "../answer/errors.ts"
import { isFields, type RawParameters } from "../parameters/rawParameters.ts"
import type { FileDigest } from "../request/arrivingFile.ts"

/** How long an answer is stored, and after which time a claim without an answer expires. */
const retention = "24 hours"
const claimTimeout = "8 seconds"
/** A running request renews its claim this often. */
const claimInterval = "2 seconds"
const maxKeyLength = 255

export interface IdempotentRequest {
  /** The id of the caller. */
  readonly caller: number
  readonly key: string
  readonly method: string
  /** The path as sent, percent-encoded. */
  readonly path: string
  /** The parameters of query, form and JSON; credentials among them do not count. */
  readonly parameters: RawParameters
  /** The id of the token, when the request is about it. */
  readonly tokenId?: number
}

/** A stored answer. */
export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface FileRow {
  readonly file_digest: Buffer | null
  readonly file_bytes: number | null
}

const fileOf = ({ file_bytes, file_digest }: FileRow): FileDigest | undefined =>
  file_digest === null || file_bytes === null ? undefined : { digest: file_digest, bytes: file_bytes }

interface AnswerRow extends FileRow {
  readonly fingerprint: Buffer
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>> | null
  readonly body: string | null
  readonly secret_of: string | null
}

/** The parameters that do not count: a client may repeat a request with another token, in another place. */
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
  const requestParameters = Object.entries(parameters).filter(([name]) => !credentials.has(name))
  return hash("sha256", canonical([method, path, Object.fromEntries(requestParameters), tokenId ?? null]), "buffer")
}

/** What a repeat after a crash has to find again: the run and its ids. */
interface RunRow extends FileRow {
  /** The id of the run, which tells it from runs under the same key on other days: its commands have ids of their own. */
  readonly run: string
  /** Whether an earlier run of the request was cut short. */
  readonly isRepeat: boolean
  readonly ids: ReadonlyArray<number>
}

/** Whether the row in the way is this very request, which never got to an answer. */
const isAbandoned = (sql: Client) => sql`(a.status is null and a.fingerprint = excluded.fingerprint)`

/** Takes the key for this request; nothing when another request has it. */
const claim = Effect.fnUntraced(function* (sql: Client, request: IdempotentRequest, fingerprint: Buffer) {
  const newRun = uuidV7()
  const [row] = yield* query(
    () => sql<Array<Omit<RunRow, "isRepeat">>>`
      insert into chronoforge.idempotent_answers as a (caller, key, fingerprint, run)
      values (${request.caller}, ${request.key}, ${fingerprint}, ${newRun})
      on conflict (caller, key) do update set started_at = now(), fingerprint = excluded.fingerprint, status = null, headers = null,
        body = null, secret_of = null,
        run = case when ${isAbandoned(sql)} then a.run else excluded.run end,
        ids = case when ${isAbandoned(sql)} then a.ids else '{}' end,
        file_digest = case when ${isAbandoned(sql)} then a.file_digest end, file_bytes = case when ${isAbandoned(sql)} then a.file_bytes end
      where a.started_at < now() - ${retention}::interval or (${isAbandoned(sql)} and a.started_at < now() - ${claimTimeout}::interval)
      returning run, ids, file_digest, file_bytes`
  )
  const run: RunRow | undefined = row && { ...row, isRepeat: row.run !== newRun }
  return run
})

const anotherRequest = (difference: string) => unprocessable(`Idempotency-Key was used for another request: ${difference}`)

/** The refusal of a file that is not the one of the earlier request. */
export const anotherFile: WireError = anotherRequest("the file differs")

/** Refuses another file than an earlier run of the request had. */
export const requireSameFile =
  (earlier: FileDigest) =>
  (file: FileDigest): Effect.Effect<void, WireError> =>
    file.bytes === earlier.bytes && file.digest.equals(earlier.digest) ? Effect.void : Effect.fail(anotherFile)

const previous = (row: AnswerRow, fingerprint: Buffer): Effect.Effect<Answered, WireError> => {
  if (!row.fingerprint.equals(fingerprint)) return Effect.fail(anotherRequest("method, path or parameters differ"))
  if (row.status === null) return Effect.fail(conflict("A request with this Idempotency-Key is still running"))
  if (row.secret_of !== null) return Effect.fail(secretIsGone(row.secret_of))
  const answer = { status: row.status, headers: row.headers ?? {}, body: row.body ?? "" }
  return Effect.succeed({ _tag: "Answered", answer, file: fileOf(row) })
}

/** A request that is the first, or the first to get through: it must run, and end with `storeAnswer` or `releaseClaim`. */
export interface Claimed {
  readonly _tag: "Claimed"
  readonly run: RequestRun
  /** The file of a run that was cut short, if it was received. */
  readonly file: FileDigest | undefined
  /** Remembers the file of this run; refuses another one than an earlier run had. */
  readonly rememberFile: (file: FileDigest) => Effect.Effect<void, WireError>
}

/** A request that was answered before. */
export interface Answered {
  readonly _tag: "Answered"
  readonly answer: StoredAnswer
  /** The file that it had. */
  readonly file: FileDigest | undefined
}

const claimed = (sql: Client, request: IdempotentRequest, row: RunRow): Claimed => {
  const { ids: known, isRepeat, run } = row
  const commands = new Map<string, number>()
  const commandId = (stream: string, index: number) => uuidOf(`${run}/${stream}/${index}`)
  let ids = 0
  /** Stores the id with this number, counted from 1, unless a run that took this one for dead has done so: then that one counts for both. */
  const storeId = Effect.fnUntraced(function* (number: number, id: number) {
    const [row] = yield* query(
      () => sql<Array<{ readonly id: number }>>`
        update chronoforge.idempotent_answers set ids = case when cardinality(ids) < ${number}::int then ids || ${id}::bigint else ids end
        where caller = ${request.caller} and key = ${request.key} and run = ${run} returning ids[${number}::int] as id`
    )
    return row?.id ?? id
  })
  const rememberFile = Effect.fnUntraced(function* (file: FileDigest) {
    const [stored] = yield* query(
      () => sql<Array<FileRow>>`
        update chronoforge.idempotent_answers
        set file_digest = coalesce(file_digest, ${file.digest}), file_bytes = coalesce(file_bytes, ${file.bytes})
        where caller = ${request.caller} and key = ${request.key} and run = ${run} returning file_digest, file_bytes`
    )
    const first = stored && fileOf(stored)
    if (first !== undefined) yield* requireSameFile(first)(file)
  })
  return {
    _tag: "Claimed",
    file: fileOf(row),
    rememberFile,
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
        const number = ids
        return earlier === undefined ? Effect.flatMap(fresh, (id) => storeId(number, id)) : Effect.succeed(earlier)
      }
    }
  }
}

/**
 * The first answer to this request if there is one; otherwise the request is claimed. Refuses another request under the same
 * key (422), a first one that is still running and an answer that carried a secret (409).
 */
export const claimRequest: (request: IdempotentRequest) => Effect.Effect<Claimed | Answered, WireError, Sql> = Effect.fnUntraced(
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
        select fingerprint, status, headers, body, secret_of, file_digest, file_bytes from chronoforge.idempotent_answers
        where caller = ${request.caller} and key = ${request.key}`
    )
    return row === undefined ? yield* claimRequest(request) : yield* previous(row, fingerprint)
  }
)

/** Remembers the answer for those who repeat the request. Of an answer with a secret only its name is kept. */
export const storeAnswer = (
  request: IdempotentRequest,
  answer: StoredAnswer,
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
export const renewClaim = (request: IdempotentRequest): Effect.Effect<never, never, Sql> =>
  Sql.use(({ client }) =>
    attempt(
      // One that comes late must not undo `releaseClaim`.
      () => client`update chronoforge.idempotent_answers set started_at = now()
        where caller = ${request.caller} and key = ${request.key} and status is null
          and started_at > now() - ${claimTimeout}::interval`
    )
  ).pipe(Effect.ignore, Effect.repeat(Schedule.spaced(claimInterval)), Effect.delay(claimInterval), Effect.andThen(Effect.never))

/** Lets the same request be sent again at once: it failed for no fault of its own. What it wrote is not written twice. */
export const releaseClaim = (request: IdempotentRequest): Effect.Effect<void, never, Sql> =>
  Sql.use(({ client }) =>
    query(
      () => client`update chronoforge.idempotent_answers set started_at = now() - ${claimTimeout}::interval - interval '1 second'
        where caller = ${request.caller} and key = ${request.key} and status is null`
    )
  ).pipe(Effect.asVoid)

/** Removes answers older than 24 hours. */
export const deleteExpiredAnswers: Effect.Effect<void, never, Sql> = Sql.use(({ client }) =>
  query(() => client`delete from chronoforge.idempotent_answers where started_at < now() - ${retention}::interval`)
).pipe(Effect.asVoid)
