import { Data } from "effect"
import { maxFaultLength, maxFaults } from "./limits.ts"

/** A configuration of which no pipeline can be made; the faults are in the words of the reference where it has any. */
export class ConfigInvalid extends Data.TaggedError("ConfigInvalid")<{
  readonly faults: readonly [string, ...ReadonlyArray<string>]
}> {}

const cut = (fault: string): string => (fault.length > maxFaultLength ? `${fault.slice(0, maxFaultLength)}…` : fault)

/** A fault may cite a part of the configuration, whatever that is. */
const shortened = (fault: string): string => cut(fault).toWellFormed().replaceAll("\0", "\ufffd")

/** The first of these faults, and not more than can be read. */
export const invalid = (first: string, ...others: ReadonlyArray<string>): ConfigInvalid =>
  new ConfigInvalid({ faults: [shortened(first), ...others.slice(0, maxFaults - 1).map(shortened)] })

export const tooBig = (): ConfigInvalid => invalid("The parsed YAML is too big")

export const tooComplex = (): ConfigInvalid => invalid("The CI configuration is too complex: it takes too many steps to compile")
