import { Schema } from "effect"

/** The visibilities from least to most visible. They are storage format and never renamed. */
export const visibilities = ["private", "internal", "public"] as const

/** The users who see a group or project without being members: nobody, users who are not external, everybody. */
export const Visibility = Schema.Literals(visibilities)
export type Visibility = typeof Visibility.Type

/** Whether the first shows more than the second. */
export const isMoreVisible = (one: Visibility, other: Visibility): boolean =>
  visibilities.indexOf(one) > visibilities.indexOf(other)

/** All that show more than this one. */
export const moreVisibleThan = (one: Visibility): ReadonlyArray<Visibility> =>
  visibilities.filter((other) => isMoreVisible(other, one))

/** The one that shows less. */
export const lessVisible = (one: Visibility, other: Visibility): Visibility => (isMoreVisible(one, other) ? other : one)

interface Viewer {
  readonly isSignedIn: boolean
  readonly isExternal: boolean
}

/** Whether somebody sees what has this visibility without being a member. */
export const isOpenTo = (visibility: Visibility, { isExternal, isSignedIn }: Viewer): boolean =>
  visibility === "public" || (visibility === "internal" && isSignedIn && !isExternal)
