import { defined } from "../kernel/defined.ts"
import type { SettingsChanges } from "./events.ts"

/** A blank text becomes null, and an absent one stays absent. */
const tidyText = (text: string | null | undefined, tidied: (text: string) => string) =>
  text === undefined ? undefined : text === null || text.trim() === "" ? null : tidied(text)

const tidied = ({ environmentScope, domain, namespace, caCert }: SettingsChanges): SettingsChanges =>
  defined({
    environmentScope: environmentScope?.trim(),
    // Gap: whether a blank domain is kept as empty text is not shown; null is what an absent one is.
    domain: tidyText(domain, (text) => text),
    namespace: tidyText(namespace, (text) => text.toLowerCase()),
    caCert: tidyText(caCert, (text) => text.trim())
  })

/** Settings as they are kept: scope and certificate trimmed, the namespace in lower case, blank texts that mean "none" as null. */
export const tidy = <S extends SettingsChanges>(settings: S): S => ({ ...settings, ...tidied(settings) })
