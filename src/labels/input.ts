import { defined, nullAs } from "../kernel/defined.ts"
import { colorOf } from "./color.ts"
import type { LabelSettings, SettingsChanges } from "./events.ts"

interface Addition {
  readonly name: string | null
  readonly color: string | null
  readonly description?: string | null
  readonly priority?: number | null
}

/** The settings of a new label, from the parameters. */
export const settingsOf = ({ color, description, name, priority }: Addition): LabelSettings => ({
  title: (name ?? "").trim(),
  description: description ?? null,
  color: colorOf(color ?? ""),
  priority: priority ?? null
})

interface Changed {
  readonly new_name?: string | null
  readonly color?: string | null
  readonly description?: string | null
  readonly priority?: number | null
}

/** The changes of a label, from the parameters. Null takes description and priority away. */
export const changesOf = ({ color, description, new_name, priority }: Changed): SettingsChanges => {
  const named = nullAs(color, "")
  return defined({
    title: nullAs(new_name, "")?.trim(),
    description,
    color: named === undefined ? undefined : colorOf(named),
    priority
  })
}
