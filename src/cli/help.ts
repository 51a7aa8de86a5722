import { Command } from "effect/cli"

/** What `--help` says of a command besides its arguments. */
interface Help {
  /** The one line that the list of commands shows. */
  readonly brief: string
  readonly text: string
  readonly examples: ReadonlyArray<Command.Command.Example>
}

const exitCodes =
  "Exit codes: 0 it worked; 1 the check failed, or what was named does not exist; 2 wrong usage; 3 it could not start, or what it " +
  "needs is not there; 130 interrupted"

/** For `serve`, being stopped is success. */
export const withHelp =
  ({ brief, examples, text }: Help) =>
  <Name extends string, Input, ContextInput, E, R>(command: Command.Command<Name, Input, ContextInput, E, R>) => {
    const codes = command.name === "serve" ? `${exitCodes}, which for this command is 0` : exitCodes
    return command.pipe(
      Command.withShortDescription(brief),
      Command.withDescription(`${text} ${codes}.`),
      Command.withExamples(examples)
    )
  }
