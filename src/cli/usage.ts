import { Console, Effect } from "effect"
import { CliOutput, TerminalCapabilities } from "effect/cli"

/** Wrong usage is told on standard error: what is wrong, how the command is written, and where its help is. All else is printed as usual. */
export const usagePresenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.gen(function* () {
          const { canColor: colors } = yield* TerminalCapabilities.TerminalCapabilities
          const errors = CliOutput.defaultFormatter({ colors }).formatErrors(event.errors).trimStart()
          yield* Console.error(`${errors}\n\nUSAGE\n  ${event.helpDoc.usage}\n\nHelp: npx ${event.commandPath.join(" ")} --help`)
        })
      : CliOutput.defaultPresenter.present(event)
})
