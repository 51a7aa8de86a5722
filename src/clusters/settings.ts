import type { SettingsChanges } from "./events.ts"

const blankAsNull = (text: string | null): string | null => (text === null || text.trim() === "" ? null : text)

const tidied = ({ environmentScope, domain, namespace, caCert }: SettingsChanges): SettingsChanges => ({
  ...(environmentScope === undefined ? {} : { environmentScope: environmentScope.trim() }),
  // Gap: whether a blank domain is kept as empty text is not shown; null is what an absent one is.
  ...(domain === undefined ? {} : { domain: blankAsNull(domain) }),
  ...(namespace === undefined ? {} : { namespace: blankAsNull(namespace)?.toLowerCase() ?? null }),
  ...(caCert === undefined ? {} : { caCert: blankAsNull(caCert)?.trim() ?? null })
})

/** Settings as they are kept: scope and certificate trimmed, the namespace in lower case, blank texts that mean "none" as null. */
export const tidy = <S extends SettingsChanges>(settings: S): S => ({ ...settings, ...tidied(settings) })
