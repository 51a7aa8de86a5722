import { Cause, Console, Data, Effect, Exit, Runtime } from "effect"
import { CliError } from "effect/cli"
import { variables } from "../config.ts"
import { StartError } from "../kernel/StartError.ts"
import { EventStoreUnavailable } from "../platform/eventStore/EventStore.ts"
import { jsonFormat } from "../platform/logging/logLine.ts"
import { reasonOf } from "../platform/logging/unavailable.ts"
import { SqlError } from "../platform/sql/Sql.ts"
import { isStoreUnavailable } from "../platform/storeUnavailable.ts"

/** How the program ends when it does not end well. Interruption by a signal is 130, as shells know it. */
export const exitCodes = {
  /** The check failed, or what was named does not exist. */
  failed: 1,
  /** The command was used wrongly. */
  usage: 2,
  /** The service could not start, or what a command needs (database, event store, files) is not there. */
  notStarted: 3
} as const

/** The command could not do what it was told; the message is for whoever typed it. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = exitCodes.failed
  override get [CliError.userMessage]() {
    return this.message
  }
}

/** The command was used wrongly, in a way that shows only when it runs; the message says how it is written. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = exitCodes.usage
  override get [CliError.userMessage]() {
    return this.message
  }
}

/** The command has printed what it found, and it is not good. */
export class CheckFailed extends Data.TaggedError("CheckFailed") {
  override readonly [Runtime.errorExitCode] = exitCodes.failed
  override readonly [Runtime.errorReported] = false
}

class NotStarted extends Data.TaggedError("NotStarted") {
  override readonly [Runtime.errorExitCode] = exitCodes.notStarted
  override readonly [Runtime.errorReported] = false
}

/** Why the program ended, where that is a plain fact of its surroundings: the database went, or there is too little of something. */
const plainReason = (cause: Cause.Cause<unknown>): string | undefined => {
  for (const reason of cause.reasons) {
    if (reason._tag === "Interrupt") continue
    const failure = reason._tag === "Fail" ? reason.error : reason.defect
    if (failure instanceof StartError) return failure.message
    const why = reasonOf(failure)
    if (why !== undefined) return `Cannot go on: ${why}`
    if (failure instanceof EventStoreUnavailable && !(failure.cause instanceof SqlError)) return failure.message
    if (isStoreUnavailable(failure)) return `Lost the database: ${failure instanceof Error ? failure.message : String(failure)}`
  }
  return undefined
}

/** As people read it, or as a line of a log that is JSON throughout. */
const lineOf = (message: string): string =>
  variables().LOG_FORMAT === "json"
    ? jsonFormat.message({ level: "error", message, annotations: {}, cause: undefined }, new Date())
    : message

/** Prints why the program cannot start, as plain lines instead of a log entry. */
export const explainStart = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E | NotStarted, R> =>
  Effect.catchCause(program, (cause): Effect.Effect<never, E | NotStarted> => {
    const reason = plainReason(cause)
    return reason === undefined ? Effect.failCause(cause) : Effect.andThen(Console.error(lineOf(reason)), new NotStarted())
  })

const hasOwnCode = (error: unknown): boolean => typeof error === "object" && error !== null && Runtime.errorExitCode in error

const codeOf = (error: unknown): number => {
  if (CliError.isCliError(error)) return error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : exitCodes.usage
  return hasOwnCode(error) ? Runtime.getErrorExitCode(error) : exitCodes.notStarted
}

/**
 * Ends the process with these exit codes. A failure that no command foresaw counts as `notStarted`, lest it pass for a failed
 * check. A service that is told to stop has done what it was asked: 0, where `isService`.
 */
export const teardown =
  (isService: boolean): Runtime.Teardown =>
  (exit, onExit) => {
    if (Exit.isSuccess(exit)) return Runtime.defaultTeardown(exit, onExit)
    if (!Cause.hasInterruptsOnly(exit.cause)) return onExit(codeOf(Cause.squash(exit.cause)))
    return isService ? onExit(0) : Runtime.defaultTeardown(exit, onExit)
  }
