import { Clock, Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { AppConfig, redacted } from "../config.ts"
import { defined } from "../kernel/defined.ts"
import { StartError } from "../kernel/StartError.ts"
import { readCheckpoints } from "../platform/verification/checkpoints.ts"
import { describe } from "../platform/verification/LogFault.ts"
import { fingerprint, publicKeyOf, type Seal } from "../platform/verification/Seal.ts"
import { readSealFile, type SealFileUnusable, writeSealFile } from "../platform/verification/sealFile.ts"
import { existingSealKey } from "../platform/verification/sealKey.ts"
import { sealAt } from "../platform/verification/sealLog.ts"
import { readSeals } from "../platform/verification/sealTable.ts"
import { type Verification, verifyLog } from "../platform/verification/verifyLog.ts"
import type { Walked } from "../platform/verification/walk.ts"
import { CheckFailed, CommandFailed } from "./exit.ts"
import { withHelp } from "./help.ts"
import { progressBar, thousands } from "./progressBar.ts"

interface Options {
  readonly json: boolean
  readonly seal: boolean
  readonly export: Option.Option<string>
  readonly against: Option.Option<string>
  readonly trustKey: ReadonlyArray<string>
}

/** The check did not fail: it could not be made. */
const fileFailed = ({ message }: SealFileUnusable) => new StartError({ message })

const expectations = Effect.fnUntraced(function* ({ against, trustKey }: Options) {
  const { eventStoreUrl } = yield* AppConfig
  const key = yield* existingSealKey
  const own = key && fingerprint(publicKeyOf(key))
  return {
    // Only the log in Postgres is written by one transaction after the other.
    serialized: (redacted(eventStoreUrl) ?? "") === "",
    seals: yield* readSeals,
    checkpoints: yield* readCheckpoints,
    ...defined({
      exported: Option.isSome(against) ? yield* Effect.mapError(readSealFile(against.value), fileFailed) : undefined,
      sealKey: own,
      trustedKeys: own === undefined ? undefined : new Set([own, ...trustKey])
    })
  }
})

const measuredWalk = Effect.fnUntraced(function* (options: Options) {
  const expected = yield* expectations(options)
  const bar = yield* progressBar
  const start = yield* Clock.currentTimeMillis
  const rate = (events: number, now: number) => (events * 1000) / Math.max(1, now - start)
  const report = ({ events, head, position }: Walked) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => bar.show(head === 0 ? 1 : position / head, rate(events, now)))
  const verification = yield* Effect.ensuring(verifyLog(expected, report), bar.clear)
  return { ...verification, seals: expected.seals, eventsPerSecond: rate(verification.events, yield* Clock.currentTimeMillis) }
})

/** The seals after a clean walk: one more if that was asked for and there is something to seal. */
const sealed = Effect.fnUntraced(function* ({ seal }: Options, { unsealed }: Verification, seals: ReadonlyArray<Seal>) {
  const last = seals.at(-1)?.position ?? 0
  if (!seal || unsealed.position === last) return seals
  const added = yield* sealAt(unsealed, last).pipe(
    Effect.catchTag(
      "SealOvertaken",
      () => new CommandFailed({ message: "Another process sealed the log meanwhile: run the command again" })
    )
  )
  return [...seals, added]
})

const summary = (
  found: Verification & { readonly eventsPerSecond: number },
  seals: ReadonlyArray<Seal>
): ReadonlyArray<string> => {
  const last = seals.at(-1)
  const sealLine =
    last === undefined
      ? "no seals"
      : `${seals.length} seals hold, the last up to position ${last.position}, signed with key ${fingerprint(last.publicKey)}`
  return [
    `${thousands(found.events)} events in ${thousands(found.streams)} streams, ${thousands(found.eventsPerSecond)} events/s`,
    ...(found.faults.length === 0 ? [sealLine, "ok"] : found.faults.map(describe))
  ]
}

const asJson = (
  { eventsPerSecond, ...found }: Verification & { readonly eventsPerSecond: number },
  seals: ReadonlyArray<Seal>
): string =>
  JSON.stringify({
    ok: found.faults.length === 0,
    events: found.events,
    streams: found.streams,
    position: found.position,
    events_per_second: Math.round(eventsPerSecond),
    seals: seals.length,
    sealed_position: seals.at(-1)?.position ?? 0,
    faults: found.faults
  })

const run = Effect.fn("cli.verify")(function* (options: Options) {
  const found = yield* measuredWalk(options)
  const clean = found.faults.length === 0
  const seals = clean ? yield* sealed(options, found, found.seals) : found.seals
  if (clean && Option.isSome(options.export)) yield* Effect.mapError(writeSealFile(options.export.value, seals), fileFailed)
  yield* Console.log(options.json ? asJson(found, seals) : summary(found, seals).join("\n"))
  if (!clean) return yield* new CheckFailed()
})

/** Walks the log and compares it with its hash chains, its seals and what the read models remember. */
export const verify = Command.make(
  "verify",
  {
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false)),
    seal: Flag.Boolean("seal").pipe(
      Flag.withDescription("Sign the log's present state, if it is clean"),
      Flag.withDefault(false)
    ),
    export: Flag.Path("export").pipe(Flag.withDescription("Write all seals to this file, if the log is clean"), Flag.optional),
    against: Flag.Path("against").pipe(Flag.withDescription("Compare with the seals of an exported file too"), Flag.optional),
    trustKey: Flag.String("trust-key").pipe(
      Flag.withDescription("Fingerprint of an earlier seal key that is accepted as well; may be repeated"),
      Flag.between(0, 100)
    )
  },
  run
).pipe(
  withHelp({
    brief: "Check the event log for tampering and loss",
    text:
      "Walks the whole event log: revisions without gaps, hash chains, positions and times in order, seals, and checkpoints of the " +
      "read models. Prints the first broken link and exits with 1 if there is one. May run beside the service.",
    examples: [
      { command: "npx chronoforge verify", description: "Check the log" },
      { command: "npx chronoforge verify --seal --export seals.jsonl", description: "Check, sign, and keep the seals elsewhere" },
      {
        command: "npx chronoforge verify --against seals.jsonl",
        description: "Find out whether the log, or its seals, were cut since"
      }
    ]
  })
)
