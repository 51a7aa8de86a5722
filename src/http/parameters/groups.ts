import type { ParameterGroup } from "./parameters.ts"
import type { RawParameters } from "./rawParameters.ts"

/**
 * The text of the group's rule, if it is violated. A name counts as given even when its value is blank or null. `labelOf` is what a name
 * is called in the text.
 */
export const compileGroup = (
  { names, otherwise = "are mutually exclusive", rule }: ParameterGroup,
  labelOf: (name: string) => string = (name) => name
): ((raw: RawParameters) => string | undefined) => {
  const listed = (some: ReadonlyArray<string>) => some.map(labelOf).join(", ")
  const all = listed(names)
  const namesIn = (raw: RawParameters) => names.filter((name) => Object.hasOwn(raw, name) && raw[name] !== undefined)
  const exclusive = (present: ReadonlyArray<string>) => (present.length > 1 ? `${listed(present)} ${otherwise}` : undefined)
  switch (rule) {
    case "atLeastOneOf":
      return (raw) => (namesIn(raw).length === 0 ? `${all} are missing, at least one parameter must be provided` : undefined)
    case "exactlyOneOf":
      return (raw) => {
        const present = namesIn(raw)
        return present.length === 0 ? `${all} are missing, exactly one parameter must be provided` : exclusive(present)
      }
    case "mutuallyExclusive":
      return (raw) => exclusive(namesIn(raw))
    case "allOrNoneOf":
      return (raw) => {
        const { length } = namesIn(raw)
        return length === 0 || length === names.length ? undefined : `${all} provide all or none of parameters`
      }
  }
}
