import { grid } from "./grid.ts"

/** Information about a project that whoever sees it may have. */
export const reading = grid`
            anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   404project  404project  404project  404project  ok     ok        ok         ok          ok     ok
  internal  404project  404project  ok          ok          ok     ok        ok         ok          ok     ok
  public    ok          ok          ok          ok          ok     ok        ok         ok          ok     ok
`

/** The same, for users alone. */
export const readingAsUser = grid`
            anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private   401        404project  404project  404project  ok     ok        ok         ok          ok     ok
  internal  401        404project  ok          ok          ok     ok        ok         ok          ok     ok
  public    401        ok          ok          ok          ok     ok        ok         ok          ok     ok
`

/** What is read from a repository: trees, blobs, archives, tags, files. */
export const code = grid`
                   anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          404project  404project  404project  404project  403    ok        ok         ok          ok     ok
  internal         404project  404project  ok          ok          ok     ok        ok         ok          ok     ok
  public,archived  ok          ok          ok          ok          ok     ok        ok         ok          ok     ok
  members          403         403         403         403         ok     ok        ok         ok          ok     ok
  disabled         403         403         403         403         403    403       403        403         403    403
`

/** The same for branches and commits, which are not there at all where the repository is switched off. */
export const branches = grid`
                   anonymous   external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private          404project  404project  404project  404project  403      ok        ok         ok          ok       ok
  internal         404project  404project  ok          ok          ok       ok        ok         ok          ok       ok
  public,archived  ok          ok          ok          ok          ok       ok        ok         ok          ok       ok
  members          404repo     404repo     404repo     404repo     ok       ok        ok         ok          ok       ok
  disabled         404repo     404repo     404repo     404repo     404repo  404repo   404repo    404repo     404repo  404repo
`

/** Statuses of commits, which users alone read. */
export const commitStatuses = grid`
                   anonymous   external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private          401         404project  404project  404project  403      ok        ok         ok          ok       ok
  internal         401         404project  ok          ok          ok       ok        ok         ok          ok       ok
  public,archived  401         ok          ok          ok          ok       ok        ok         ok          ok       ok
  members          401         404repo     404repo     404repo     ok       ok        ok         ok          ok       ok
  disabled         401         404repo     404repo     404repo     404repo  404repo   404repo    404repo     404repo  404repo
`

/** Merge requests with a commit. */
export const mergeRequestsOfCommits = grid`
                   anonymous   external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private          404project  404project  404project  404project  403      ok        ok         ok          ok       ok
  internal         404project  404project  ok          ok          ok       ok        ok         ok          ok       ok
  public,archived  ok          ok          ok          ok          ok       ok        ok         ok          ok       ok
  members          404repo     404repo     404repo     404repo     403      ok        ok         ok          ok       ok
  disabled         404repo     404repo     404repo     404repo     404repo  404repo   404repo    404repo     404repo  404repo
`

/** What users alone read from a repository. */
export const codeOfUsers = grid`
                   anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          401        404project  404project  404project  403    ok        ok         ok          ok     ok
  internal         401        404project  ok          ok          ok     ok        ok         ok          ok     ok
  public,archived  401        ok          ok          ok          ok     ok        ok         ok          ok     ok
  members          401        403         403         403         ok     ok        ok         ok          ok     ok
  disabled         401        403         403         403         403    403       403        403         403    403
`

/** Changes of tags, files and merge requests. */
export const developing = grid`
                     anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private            401        404project  404project  404project  403    403       ok         ok          ok     ok
  internal           401        404project  403         403         403    403       ok         ok          ok     ok
  public,members     401        403         403         403         403    403       ok         ok          ok     ok
  archived,disabled  401        403         403         403         403    403       403        403         403    403
`

/** Pipelines where they are public. */
export const pipelines = grid`
                   anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          404project  404project  404project  404project  ok     ok        ok         ok          ok     ok
  internal         404project  404project  ok          ok          ok     ok        ok         ok          ok     ok
  public,archived  ok          ok          ok          ok          ok     ok        ok         ok          ok     ok
  members          403         403         403         403         ok     ok        ok         ok          ok     ok
  disabled         403         403         403         403         403    403       403        403         403    403
`

/** What Maintainers alone see of pipelines that somebody else made. */
export const pipelineSecrets = grid`
                   anonymous   external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          404project  404project  404project  404project  403    403       403        ok          ok     ok
  internal         404project  404project  403         403         403    403       403        ok          ok     ok
  public,archived  403         403         403         403         403    403       403        ok          ok     ok
  members          403         403         403         403         403    403       403        ok          ok     ok
  disabled         403         403         403         403         403    403       403        403         403    403
`

/** What executors do. */
export const executing = grid`
                     anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private            401        404project  404project  404project  403    403       403        ok          ok     ok
  internal           401        404project  403         403         403    403       403        ok          ok     ok
  public,members     401        403         403         403         403    403       403        ok          ok     ok
  archived,disabled  401        403         403         403         403    403       403        403         403    403
`

/** Deletion of pipelines. */
export const removingPipelines = grid`
                     anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private            401        404project  404project  404project  403    403       403        403         ok     ok
  internal           401        404project  403         403         403    403       403        403         ok     ok
  public,members     401        403         403         403         403    403       403        403         ok     ok
  archived,disabled  401        403         403         403         403    403       403        403         403    403
`

/** Changes of branches. */
export const branching = grid`
            anonymous  external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private   401        404project  404project  404project  403      403       ok         ok          ok       ok
  internal  401        404project  403         403         403      403       ok         ok          ok       ok
  public    401        403         403         403         403      403       ok         ok          ok       ok
  archived  401        403         403         403         403      403       403        403         403      403
  members   401        404repo     404repo     404repo     403      403       ok         ok          ok       ok
  disabled  401        404repo     404repo     404repo     404repo  404repo   404repo    404repo     404repo  404repo
`

/** Deletion of a protected branch. */
export const removingProtected = grid`
            anonymous  external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private   401        404project  404project  404project  403      403       403prot    ok          ok       ok
  internal  401        404project  403         403         403      403       403prot    ok          ok       ok
  public    401        403         403         403         403      403       403prot    ok          ok       ok
  archived  401        403         403         403         403      403       403        403         403      403
  members   401        404repo     404repo     404repo     403      403       403prot    ok          ok       ok
  disabled  401        404repo     404repo     404repo     404repo  404repo   404repo    404repo     404repo  404repo
`

/** Commits, whose refusal names the branch. */
export const committing = grid`
            anonymous  external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private   401        404project  404project  404project  403      403push   ok         ok          ok       ok
  internal  401        404project  403push     403push     403push  403push   ok         ok          ok       ok
  public    401        403push     403push     403push     403push  403push   ok         ok          ok       ok
  archived  401        403push     403push     403push     403push  403push   403push    403push     403push  403push
  members   401        404repo     404repo     404repo     403push  403push   ok         ok          ok       ok
  disabled  401        404repo     404repo     404repo     404repo  404repo   404repo    404repo     404repo  404repo
`

/** Commits to a branch that is protected for Maintainers. */
export const committingProtected = grid`
            anonymous  external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private   401        404project  404project  404project  403      403push   403push    ok          ok       ok
  internal  401        404project  403push     403push     403push  403push   403push    ok          ok       ok
  public    401        403push     403push     403push     403push  403push   403push    ok          ok       ok
  archived  401        403push     403push     403push     403push  403push   403push    403push     403push  403push
  members   401        404repo     404repo     404repo     403push  403push   403push    ok          ok       ok
  disabled  401        404repo     404repo     404repo     404repo  404repo   404repo    404repo     404repo  404repo
`

/** Comments on commits. */
export const commenting = grid`
            anonymous  external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private   401        404project  404project  404project  403      ok        ok         ok          ok       ok
  internal  401        404project  ok          ok          ok       ok        ok         ok          ok       ok
  public    401        ok          ok          ok          ok       ok        ok         ok          ok       ok
  archived  401        403         403         403         403      403       403        403         403      403
  members   401        404repo     404repo     404repo     ok       ok        ok         ok          ok       ok
  disabled  401        404repo     404repo     404repo     404repo  404repo   404repo    404repo     404repo  404repo
`

/** A changelog, whose refusal says so. */
export const committingChangelog = grid`
            anonymous  external    outsider    minimal     guest   reporter  developer  maintainer  owner   administrator
  private   401        404project  404project  404project  403     403log    ok         ok          ok      ok
  internal  401        404project  403log      403log      403log  403log    ok         ok          ok      ok
  public    401        403log      403log      403log      403log  403log    ok         ok          ok      ok
  archived  401        403log      403log      403log      403log  403log    403log     403log      403log  403log
  members   401        403         403         403         403log  403log    ok         ok          ok      ok
  disabled  401        403         403         403         403     403       403        403         403     403
`

/** Protection of a branch, asked for at the branch. */
export const protecting = grid`
                   anonymous  external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private          401        404project  404project  404project  403      403       403        ok          ok       ok
  internal         401        404project  403         403         403      403       403        ok          ok       ok
  public,archived  401        403         403         403         403      403       403        ok          ok       ok
  members          401        404repo     404repo     404repo     403      403       403        ok          ok       ok
  disabled         401        404repo     404repo     404repo     404repo  404repo   404repo    404repo     404repo  404repo
`

/** What Maintainers do, in archived projects too. */
export const maintaining = grid`
                   anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          401        404project  404project  404project  403    403       403        ok          ok     ok
  internal         401        404project  403         403         403    403       403        ok          ok     ok
  public,archived  401        403         403         403         403    403       403        ok          ok     ok
`

/** What Owners do. */
export const owning = grid`
                   anonymous  external    outsider    minimal     guest  reporter  developer  maintainer  owner  administrator
  private          401        404project  404project  404project  403    403       403        403         ok     ok
  internal         401        404project  403         403         403    403       403        403         ok     ok
  public,archived  401        403         403         403         403    403       403        403         ok     ok
`

/** A project into any group. */
export const bringing = grid`
                                     anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  private,internal,public,archived  401        403       403       403      403    403       403        403         403    ok
`

/** A fork into the caller's own namespace, in which external users have no room. */
export const forking = grid`
            anonymous  external    outsider    minimal     guest    reporter  developer  maintainer  owner    administrator
  private   401        404project  404project  404project  404fork  ok        ok         ok          ok       ok
  internal  401        404project  ok          ok          ok       ok        ok         ok          ok       ok
  public    401        403limit    ok          ok          ok       ok        ok         ok          ok       ok
  disabled  401        404fork     404fork     404fork     404fork  404fork   404fork    404fork     404fork  404fork
`

// Of groups.

/** A group, what lies in it. */
export const readingGroup = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  private   404group   404group  404group  ok       ok     ok        ok         ok          ok     ok
  internal  404group   404group  ok        ok       ok     ok        ok         ok          ok     ok
  public    ok         ok        ok        ok       ok     ok        ok         ok          ok     ok
`

/** Its members, for users alone. */
export const readingGroupMembers = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  private   401        404group  404group  ok       ok     ok        ok         ok          ok     ok
  internal  401        404group  ok        ok       ok     ok        ok         ok          ok     ok
  public    401        ok        ok        ok       ok     ok        ok         ok          ok     ok
`

/** What Owners do. */
export const owningGroup = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  private   401        404group  404group  403      403    403       403        403         ok     ok
  internal  401        404group  403       403      403    403       403        403         ok     ok
  public    401        403       403       403      403    403       403        403         ok     ok
`

/** What owners read, where a hidden group is not told of. */
export const readingAsOwner = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  private   404group   404group  404group  403      403    403       403        403         ok     ok
  internal  404group   404group  403       403      403    403       403        403         ok     ok
  public    401        403       403       403      403    403       403        403         ok     ok
`

/** Invitations of other groups. */
export const sharingGroup = grid`
            anonymous  external  outsider  minimal   guest     reporter  developer  maintainer  owner  administrator
  private   401        404group  404group  404share  404share  404share  404share   404share    ok     ok
  internal  401        404group  404share  404share  404share  404share  404share   404share    ok     ok
  public    401        404share  404share  404share  404share  404share  404share   404share    ok     ok
`

/** Groups in a group. */
export const addingSubgroups = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  private   401        404group  404group  403      403    403       403        ok          ok     ok
  internal  401        404group  403       403      403    403       403        ok          ok     ok
  public    401        403       403       403      403    403       403        ok          ok     ok
`

/** Projects in a group. */
export const addingProjects = grid`
                           anonymous  external  outsider  minimal  guest    reporter  developer  maintainer  owner  administrator
  private,internal,public  401        400path   400path   400path  400path  400path   ok         ok          ok     ok
`

/** A group as a namespace, for those who are in it. */
export const readingNamespace = grid`
                           anonymous  external      outsider      minimal  guest  reporter  developer  maintainer  owner  administrator
  private,internal,public  401        404namespace  404namespace  ok       ok     ok        ok         ok          ok     ok
`

// Of the installation.

export const anyone = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  anywhere  ok         ok        ok        ok       ok     ok        ok         ok          ok     ok
`

export const users = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  anywhere  401        ok        ok        ok       ok     ok        ok         ok          ok     ok
`

export const administrators = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  anywhere  401        403       403       403      403    403       403        403         403    ok
`

export const readingUser = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  anywhere  403user    ok        ok        ok       ok     ok        ok         ok          ok     ok
`

/** Without a name to look for. */
export const listingUsers = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  anywhere  403users   ok        ok        ok       ok     ok        ok         ok          ok     ok
`

/** Tokens of somebody else. */
export const foreignTokens = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  anywhere  401        404       404       404      404    404       404        404         404    ok
`

/** Rotating them, which tells nobody whether they are there. */
export const rotatingForeignTokens = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  anywhere  401        401       401       401      401    401       401        401         401    ok
`

export const addingGroups = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  anywhere  401        403       ok        ok       ok     ok        ok         ok          ok     ok
`

export const addingOwnProjects = grid`
            anonymous  external  outsider  minimal  guest  reporter  developer  maintainer  owner  administrator
  anywhere  401        403limit  ok        ok       ok     ok        ok         ok          ok     ok
`

// Of git itself. To those without credentials, what they may not see is as what is not there.

export const fetching = grid`
                   anonymous  external     outsider     minimal      guest        reporter     developer    maintainer   owner        administrator
  private          git401     git404       git404       git404       git403fetch  ok           ok           ok           ok           ok
  internal         git401     git404       ok           ok           ok           ok           ok           ok           ok           ok
  public,archived  ok         ok           ok           ok           ok           ok           ok           ok           ok           ok
  members          git401     git403fetch  git403fetch  git403fetch  ok           ok           ok           ok           ok           ok
  disabled         git401     git403fetch  git403fetch  git403fetch  git403fetch  git403fetch  git403fetch  git403fetch  git403fetch  git403fetch
`

export const pushing = grid`
                     anonymous  external    outsider    minimal     guest       reporter    developer   maintainer  owner       administrator
  private            git401     git404      git404      git404      git403push  git403push  ok          ok          ok          ok
  internal           git401     git404      git403push  git403push  git403push  git403push  ok          ok          ok          ok
  public,members     git401     git403push  git403push  git403push  git403push  git403push  ok          ok          ok          ok
  archived,disabled  git401     git403push  git403push  git403push  git403push  git403push  git403push  git403push  git403push  git403push
`
