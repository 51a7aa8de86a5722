import { isLongerThan } from "../kernel/characters.ts"
import { type Fault, faultsOf } from "../kernel/faults.ts"
import { parseCron } from "./cron/parseCron.ts"
import { zoneOf } from "./cron/zones.ts"
import type { ScheduleSettings } from "./events.ts"

/** What an error of a schedule is about: an attribute, or `base` as a whole. */
export type Attribute = "base" | "ref" | "cron" | "cronTimezone" | "description" | "key"

export type ScheduleFault = Fault<Attribute>

const maxKeyLength = 255
const blank = "can't be blank"
const wrongSyntax = "syntax is invalid"

const blankFaults = (text: string): ReadonlyArray<string> => (text.trim() === "" ? [blank] : [])

const cronFaults = (text: string): ReadonlyArray<string> => [
  ...(parseCron(text) === undefined ? [wrongSyntax] : []),
  ...blankFaults(text)
]

/** A blank one is nothing but blank. */
const zoneFaults = (text: string): ReadonlyArray<string> => {
  if (text.trim() === "") return [blank]
  return zoneOf(text) === undefined ? [wrongSyntax] : []
}

/** Everything that is wrong with settings, but for the ref, which is judged by what is in the repository. */
export const settingsFaults = ({ cron, cronTimezone, description }: ScheduleSettings): ReadonlyArray<ScheduleFault> => [
  ...faultsOf("cron", cronFaults(cron)),
  ...faultsOf("cronTimezone", zoneFaults(cronTimezone)),
  ...faultsOf("description", blankFaults(description))
]

/** The project has as many schedules as it may have. */
export const limitReached = (limit: number): ScheduleFault => ({
  attribute: "base",
  text: `Maximum number of ci pipeline schedules (${limit}) exceeded`
})

export const refIsAmbiguous: ScheduleFault = { attribute: "ref", text: "is ambiguous" }

/** Everything that is wrong with the key of a variable. */
export const keyFaults = (key: string): ReadonlyArray<ScheduleFault> =>
  faultsOf("key", [
    ...(key === "" ? [blank] : []),
    ...(isLongerThan(key, maxKeyLength) ? [`is too long (maximum is ${maxKeyLength} characters)`] : []),
    ...(/^[A-Za-z0-9_]+$/.test(key) ? [] : ["can contain only letters, digits and '_'."])
  ])

export const keyIsTaken: ScheduleFault = { attribute: "key", text: "has already been taken" }
