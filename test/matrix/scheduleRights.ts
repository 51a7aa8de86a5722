import { grid } from "./grid.ts"

/** The list of schedules, where pipelines are public. */
export const listing = grid`
                   anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          401        404project  404project  404project  ok     ok        ok         ok          ok     ok
  internal         401        404project  ok          ok          ok     ok        ok         ok          ok     ok
  public,archived  401        ok          ok          ok          ok     ok        ok         ok          ok     ok
  members          401        403         403         403         ok     ok        ok         ok          ok     ok
  disabled         401        403         403         403         403    403       403        403         403    403
`

/** One schedule: where nobody may read it, it is not there. */
export const reading = grid`
                   anonymous  external     outsider     minimal      guest        reporter     developer    maintainer   owner        administrator
  private          401        404project   404project   404project   ok           ok           ok           ok           ok           ok
  internal         401        404project   ok           ok           ok           ok           ok           ok           ok           ok
  public,archived  401        ok           ok           ok           ok           ok           ok           ok           ok           ok
  members          401        404schedule  404schedule  404schedule  ok           ok           ok           ok           ok           ok
  disabled         401        404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule
`

/** What Developers may do with any schedule, and with their own. */
export const developing = grid`
            anonymous  external     outsider     minimal      guest        reporter     developer    maintainer   owner        administrator
  private   401        404project   404project   404project   403          403          ok           ok           ok           ok
  internal  401        404project   403          403          403          403          ok           ok           ok           ok
  public    401        403          403          403          403          403          ok           ok           ok           ok
  archived  401        403          403          403          403          403          403          403          403          403
  members   401        404schedule  404schedule  404schedule  403          403          ok           ok           ok           ok
  disabled  401        404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule
`

/** Changes of somebody else's schedule. */
export const changing = grid`
            anonymous  external     outsider     minimal      guest        reporter     developer    maintainer   owner        administrator
  private   401        404project   404project   404project   403          403          403          403          403          ok
  internal  401        404project   403          403          403          403          403          403          403          ok
  public    401        403          403          403          403          403          403          403          403          ok
  archived  401        403          403          403          403          403          403          403          403          403
  members   401        404schedule  404schedule  404schedule  403          403          403          403          403          ok
  disabled  401        404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule
`

/** What Maintainers may do with somebody else's schedule. */
export const managing = grid`
            anonymous  external     outsider     minimal      guest        reporter     developer    maintainer   owner        administrator
  private   401        404project   404project   404project   403          403          403          ok           ok           ok
  internal  401        404project   403          403          403          403          403          ok           ok           ok
  public    401        403          403          403          403          403          403          ok           ok           ok
  archived  401        403          403          403          403          403          403          403          403          403
  members   401        404schedule  404schedule  404schedule  403          403          403          ok           ok           ok
  disabled  401        404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule
`

/** What Maintainers read of somebody else's schedule, in archived projects too. */
export const readingVariables = grid`
                   anonymous  external     outsider     minimal      guest        reporter     developer    maintainer   owner        administrator
  private          401        404project   404project   404project   403          403          403          ok           ok           ok
  internal         401        404project   403          403          403          403          403          ok           ok           ok
  public,archived  401        403          403          403          403          403          403          ok           ok           ok
  members          401        404schedule  404schedule  404schedule  403          403          403          ok           ok           ok
  disabled         401        404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule
`

/** The same of their own. */
export const readingOwnVariables = grid`
                   anonymous  external     outsider     minimal      guest        reporter     developer    maintainer   owner        administrator
  private          401        404project   404project   404project   403          403          ok           ok           ok           ok
  internal         401        404project   403          403          403          403          ok           ok           ok           ok
  public,archived  401        403          403          403          403          403          ok           ok           ok           ok
  members          401        404schedule  404schedule  404schedule  403          403          ok           ok           ok           ok
  disabled         401        404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule  404schedule
`

// Variables: who may give pipelines none is refused before the schedule is looked for.

/** Changes of variables of the caller's own schedule. */
export const giving = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer    maintainer   owner        administrator
  private   401        404project  404project  404project  403    403       ok           ok           ok           ok
  internal  401        404project  403         403         403    403       ok           ok           ok           ok
  public    401        403         403         403         403    403       ok           ok           ok           ok
  archived  401        403         403         403         403    403       403          403          403          403
  members   401        403         403         403         403    403       ok           ok           ok           ok
  disabled  401        403         403         403         403    403       404schedule  404schedule  404schedule  404schedule
`

/** Changes of variables of somebody else's schedule. */
export const givingOthers = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer    maintainer   owner        administrator
  private   401        404project  404project  404project  403    403       403          403          403          ok
  internal  401        404project  403         403         403    403       403          403          403          ok
  public    401        403         403         403         403    403       403          403          403          ok
  archived  401        403         403         403         403    403       403          403          403          403
  members   401        403         403         403         403    403       403          403          403          ok
  disabled  401        403         403         403         403    403       404schedule  404schedule  404schedule  404schedule
`

/** Removal of variables from somebody else's schedule. */
export const takingAway = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer    maintainer   owner        administrator
  private   401        404project  404project  404project  403    403       403          ok           ok           ok
  internal  401        404project  403         403         403    403       403          ok           ok           ok
  public    401        403         403         403         403    403       403          ok           ok           ok
  archived  401        403         403         403         403    403       403          403          403          403
  members   401        403         403         403         403    403       403          ok           ok           ok
  disabled  401        403         403         403         403    403       404schedule  404schedule  404schedule  404schedule
`
