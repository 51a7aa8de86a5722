import { grid } from "./grid.ts"

/** Who is shown merge requests. */
export const reading = grid`
                   anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          404project  404project  404project  404project  403    ok        ok         ok          ok     ok
  internal         404project  404project  ok          ok          ok     ok        ok         ok          ok     ok
  public,archived  ok          ok          ok          ok          ok     ok        ok         ok          ok     ok
  members          403         403         403         403         403    ok        ok         ok          ok     ok
  disabled         403         403         403         403         403    403       403        403         403    403
`

/** The same, for users alone. */
export const readingAsUser = grid`
                   anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          401        404project  404project  404project  403    ok        ok         ok          ok     ok
  internal         401        404project  ok          ok          ok     ok        ok         ok          ok     ok
  public,archived  401        ok          ok          ok          ok     ok        ok         ok          ok     ok
  members          401        403         403         403         403    ok        ok         ok          ok     ok
  disabled         401        403         403         403         403    403       403        403         403    403
`

/** The same where they are looked for among those that the caller may see. */
export const finding = grid`
                   anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          404project  404project  404project  404project  404    ok        ok         ok          ok     ok
  internal         404project  404project  ok          ok          ok     ok        ok         ok          ok     ok
  public,archived  ok          ok          ok          ok          ok     ok        ok         ok          ok     ok
  members          404         404         404         404         404    ok        ok         ok          ok     ok
  disabled         404         404         404         404         404    404       404        404         404    404
`

/** Who merges into a branch that is not protected. */
export const merging = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  404    401       ok         ok          ok     ok
  internal  401        404project  401         401         401    401       ok         ok          ok     ok
  public    401        401         401         401         401    401       ok         ok          ok     ok
  archived  401        401         401         401         401    401       401        401         401    401
  members   401        404         404         404         404    401       ok         ok          ok     ok
  disabled  401        404         404         404         404    404       404        404         404    404
`

/** Who rebases a branch that is not protected. */
export const rebasing = grid`
            anonymous  external    outsider    minimal     guest      reporter   developer  maintainer  owner      administrator
  private   401        404project  404project  404project  404        403rebase  ok         ok          ok         ok
  internal  401        404project  403rebase   403rebase   403rebase  403rebase  ok         ok          ok         ok
  public    401        403rebase   403rebase   403rebase   403rebase  403rebase  ok         ok          ok         ok
  archived  401        403rebase   403rebase   403rebase   403rebase  403rebase  403rebase  403rebase   403rebase  403rebase
  members   401        404         404         404         404        403rebase  ok         ok          ok         ok
  disabled  401        404         404         404         404        404        404        404         404        404
`

/** Who tells the time of merge requests. */
export const timing = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  404    403       ok         ok          ok     ok
  internal  401        404project  403         403         403    403       ok         ok          ok     ok
  public    401        403         403         403         403    403       ok         ok          ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
  members   401        404         404         404         404    403       ok         ok          ok     ok
  disabled  401        404         404         404         404    404       404        404         404    404
`

/** Who deletes merge requests. */
export const removing = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  404    403       403        403         ok     ok
  internal  401        404project  403         403         403    403       403        403         ok     ok
  public    401        403         403         403         403    403       403        403         ok     ok
  archived  401        403         403         403         403    403       403        403         403    403
  members   401        404         404         404         404    403       403        403         ok     ok
  disabled  401        404         404         404         404    404       404        404         404    404
`

/** Who makes pipelines for merge requests, of those who see them. */
export const makingPipelines = grid`
            anonymous  external     outsider     minimal      guest        reporter     developer    maintainer   owner        administrator
  private   401        404project   404project   404project   403          400pipeline  ok           ok           ok           ok
  internal  401        404project   400pipeline  400pipeline  400pipeline  400pipeline  ok           ok           ok           ok
  public    401        400pipeline  400pipeline  400pipeline  400pipeline  400pipeline  ok           ok           ok           ok
  archived  401        400pipeline  400pipeline  400pipeline  400pipeline  400pipeline  400pipeline  400pipeline  400pipeline  400pipeline
  members   401        403          403          403          403          400pipeline  ok           ok           ok           ok
  disabled  401        403          403          403          403          403          403          403          403          403
`

/** Who takes approvals away. */
export const resetting = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  404    401       401        401         401    ok
  internal  401        404project  401         401         401    401       401        401         401    ok
  public    401        401         401         401         401    401       401        401         401    ok
  archived  401        401         401         401         401    401       401        401         401    401
  members   401        404         404         404         404    401       401        401         401    ok
  disabled  401        404         404         404         404    404       404        404         404    404
`

/** Who is shown what merge requests were awarded. */
export const readingAwards = grid`
                   anonymous   external    outsider    minimal     guest     reporter  developer  maintainer  owner     administrator
  private          404project  404project  404project  404project  404award  ok        ok         ok          ok        ok
  internal         404project  404project  ok          ok          ok        ok        ok         ok          ok        ok
  public,archived  ok          ok          ok          ok          ok        ok        ok         ok          ok        ok
  members          404award    404award    404award    404award    404award  ok        ok         ok          ok        ok
  disabled         404award    404award    404award    404award    404award  404award  404award   404award    404award  404award
`

/** Who awards merge requests something. */
export const awarding = grid`
                     anonymous  external    outsider    minimal     guest     reporter  developer  maintainer  owner     administrator
  private            401        404project  404project  404project  404award  ok        ok         ok          ok        ok
  internal           401        404project  ok          ok          ok        ok        ok         ok          ok        ok
  public             401        ok          ok          ok          ok        ok        ok         ok          ok        ok
  members            401        404award    404award    404award    404award  ok        ok         ok          ok        ok
  archived,disabled  401        404award    404award    404award    404award  404award  404award   404award    404award  404award
`
