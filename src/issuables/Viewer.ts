import type { Caller } from "../http/access/Caller.ts"

/** Who sees a list; without user, whoever has no account. */
export interface Viewer {
  readonly userId: number | undefined
  readonly isAdministrator: boolean
  readonly isExternal: boolean
}

export const viewerOf = (caller: Pick<Caller, "user"> | undefined): Viewer => ({
  userId: caller?.user.id,
  isAdministrator: caller?.user.admin === true,
  isExternal: caller?.user.external === true
})
