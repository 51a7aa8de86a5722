import { Effect } from "effect"
import { groupCodec } from "#src/groups/events.ts"
import { groupStream } from "#src/groups/ids.ts"
import type { Visibility } from "#src/kernel/visibility.ts"
import type { Parent } from "#src/parents/Parent.ts"
import { handle, record } from "#src/platform/Commands.ts"
import { projectAggregate } from "#src/projects/aggregate.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectStream } from "#src/projects/ids.ts"
import type { SettingsChanges } from "#src/projects/settings/settings.ts"
import { reconcile } from "#src/pushes/reconcile.ts"
import { userAggregate } from "#src/users/aggregate.ts"
import { levels as everybodysLevels } from "#test/support/people/everybody.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { type Asker, askers, slugOf } from "./askers.ts"
import { newReleases } from "./companions/newReleases.ts"
import { newUploads } from "./companions/newUploads.ts"
import { fillRepository } from "./fillRepository.ts"
import { type Place, places, visibilities, type Where } from "./grid.ts"
import {
  approving,
  closing,
  joining,
  newApprovalRule,
  newAward,
  newAwardedIssue,
  newAwardedNote,
  newDeployKey,
  newDeployment,
  newGroup,
  newIssue,
  newLabel,
  newMergeRequest,
  newMilestone,
  newPipeline,
  newProject,
  newSchedule,
  newStar,
  newStoppedEnvironment,
  newThread,
  newTodo,
  newToken,
  newUser,
  newUserKey,
  protecting,
  root,
  sharing
} from "./seed.ts"

const levels: Partial<Record<Asker, number>> = { ...everybodysLevels, "blocked owner": 50 }
const scopes: Partial<Record<Asker, string>> = { "token for reading": "read_api", "token for nothing": "k8s_proxy" }

export const visibilityOf = (place: Where): Visibility => visibilities.find((each) => each === place) ?? "public"
const settingsOf = (place: Place): SettingsChanges => ({
  visibility: visibilityOf(place),
  ...(place === "members" ? { repositoryAccessLevel: "private" } : {}),
  ...(place === "disabled" ? { repositoryAccessLevel: "disabled" } : {})
})

const forEach = <A, B, E, R>(items: Iterable<A>, make: (item: A) => Effect.Effect<B, E, R>) =>
  Effect.forEach(items, make, { concurrency: 16 })

/** What `make` makes for each of the items. */
const mapOf = <A, B, E, R>(items: Iterable<A>, make: (item: A) => Effect.Effect<B, E, R>) =>
  Effect.map(
    forEach(items, (item) => Effect.map(make(item), (made) => [item, made] as const)),
    (entries): ReadonlyMap<A, B> => new Map(entries)
  )

export const get = <A, B>(map: ReadonlyMap<A, B>, key: A): B => {
  const found = map.get(key)
  if (found === undefined) throw new Error(`Nothing for ${key}`)
  return found
}

/** What each of the callers may take away from a project or group, named by them, and what stays. */
const fill = Effect.fnUntraced(function* (parent: Parent) {
  yield* forEach(["kept", ...askers.flatMap((asker) => [slugOf(asker), `${slugOf(asker)}-too`])], (title) =>
    newLabel(parent, title)
  )
  return {
    kept: yield* newMilestone(parent, "kept", 1),
    doomed: yield* mapOf(askers, (asker) => newMilestone(parent, slugOf(asker), 2 + askers.indexOf(asker)))
  }
})
export type Filled = Effect.Success<ReturnType<typeof fill>>

const newUsers = (what: string) => mapOf(askers, (asker) => newUser(`${what}-${slugOf(asker)}`))

/** Users and tokens of the callers, with things that only they have. */
const people = Effect.gen(function* () {
  const ids = yield* mapOf(askers, (asker) =>
    newUser(slugOf(asker), { admin: asker === "administrator", external: asker === "external" })
  )
  const userOf = (asker: Asker) => get(ids, asker in scopes ? "administrator" : asker)
  const tokens = () => mapOf(askers, (asker) => newToken(userOf(asker), scopes[asker] ?? "api"))
  return {
    userOf,
    tokens: yield* tokens(),
    /** To be revoked and rotated. */
    spareTokens: [yield* tokens(), yield* tokens()] as const,
    keys: yield* mapOf(askers, (asker) => newUserKey(userOf(asker))),
    spareKeys: yield* mapOf(askers, (asker) => newUserKey(userOf(asker)))
  }
})
type People = Effect.Success<typeof people>

/** Users who are added to a group or project, and members who are taken out of it, by caller; and one who stays. */
const crowd = Effect.fnUntraced(function* (of: string) {
  const member = yield* newUser(`member-of-${of}`)
  return { member, newcomers: yield* newUsers(`newcomer-${of}`), leavers: yield* newUsers(`leaver-${of}`) }
})
export type Crowd = Effect.Success<ReturnType<typeof crowd>>

const joiningOf = ({ leavers, member }: Crowd) => [member, ...leavers.values()].map((id) => joining(id, 10))

/** Public groups by caller: of those who are in one, and of nobody. */
const inviting = Effect.fnUntraced(function* ({ userOf }: People) {
  const invited = yield* mapOf(
    askers,
    Effect.fnUntraced(function* (asker) {
      const id = yield* newGroup(`invited-${slugOf(asker)}`, "public")
      yield* record(groupCodec, groupStream(id), [joining(userOf(asker), 10)])
      return id
    })
  )
  return { invited, invitedBefore: yield* mapOf(askers, (asker) => newGroup(`invited-before-${slugOf(asker)}`, "public")) }
})
type Inviting = Effect.Success<ReturnType<typeof inviting>>

const sharesOf = ({ invitedBefore }: Inviting) => forEach(invitedBefore.values(), sharing)

const groupsWith = Effect.fnUntraced(function* ({ userOf }: People, others: Crowd, invitations: Inviting) {
  const groups = yield* mapOf(
    visibilities,
    Effect.fnUntraced(function* (visibility) {
      const id = yield* newGroup(`${visibility}-group`, visibility)
      const roles = askers.flatMap((asker) => (levels[asker] === undefined ? [] : [joining(userOf(asker), levels[asker])]))
      yield* record(groupCodec, groupStream(id), [...roles, ...joiningOf(others), ...(yield* sharesOf(invitations))])
      return id
    })
  )
  const doomed = yield* mapOf(visibilities, (visibility) =>
    mapOf(askers, (asker) => newGroup(`doomed-group-${slugOf(asker)}`, visibility, get(groups, visibility)))
  )
  return {
    groups,
    milestones: yield* mapOf(visibilities, (visibility) => fill({ kind: "group", id: get(groups, visibility) })),
    doomed,
    shelves: yield* mapOf(visibilities, (visibility) => newGroup("shelf", visibility, get(groups, visibility)))
  }
})

interface Surroundings {
  readonly groups: ReadonlyMap<Visibility, number>
  readonly others: Crowd
  readonly invitations: Inviting
  readonly userOf: People["userOf"]
}

const projectsWith = Effect.fnUntraced(function* ({ groups, invitations, others, userOf }: Surroundings) {
  const names = askers.map((asker) => `open-${slugOf(asker)}`)
  const make = Effect.fnUntraced(function* (place: Place) {
    const namespaceId = get(groups, visibilityOf(place))
    const id = yield* newProject(place, namespaceId, settingsOf(place))
    const protections = yield* forEach([...names, "guarded-*", "kept"], (name) =>
      Effect.all([protecting("branch", name), protecting("tag", name)])
    )
    yield* record(projectCodec, projectStream(id), [
      ...joiningOf(others),
      ...protections.flat(),
      ...(yield* sharesOf(invitations))
    ])
    const code = yield* fillRepository(id)
    const pipelinesFrom = (iid: number) => mapOf(askers, (asker) => newPipeline(id, code.topic, iid + askers.indexOf(asker)))
    const proposed = { projectId: id, base: code.first, start: code.second }
    const milestones = yield* fill({ kind: "project", id })
    const kept = { iid: 1, branch: "topic", head: code.topic, milestone: milestones.kept }
    const keptRequest = yield* newMergeRequest({ ...proposed, ...kept })
    const requestsFrom = (iid: number, prefix: string, headOf: (asker: Asker) => string) =>
      mapOf(askers, (asker) =>
        newMergeRequest({
          ...proposed,
          iid: iid + askers.indexOf(asker),
          branch: `${prefix}-${slugOf(asker)}`,
          head: headOf(asker),
          subscriber: userOf(asker)
        })
      )
    const approvedRequest = Effect.fnUntraced(function* (proposal: Parameters<typeof newMergeRequest>[0]) {
      const request = yield* newMergeRequest(proposal)
      const key = { projectId: id, iid: request.iid }
      yield* approving(key, askers.map(userOf))
      const users = yield* mapOf(new Set(askers.map(userOf)), (user) => newAward({ type: "MergeRequest", id: request.id }, user))
      return {
        iid: request.iid,
        rules: yield* mapOf(askers, (asker) => newApprovalRule(key, slugOf(asker))),
        awards: yield* mapOf(askers, (asker) => Effect.succeed(get(users, userOf(asker)))),
        closed: yield* closing(key)
      }
    })
    return {
      id,
      code,
      mergeRequests: {
        kept: keptRequest.iid,
        keptId: keptRequest.id,
        version: keptRequest.versionId,
        labelEvent: keptRequest.labelEvent,
        milestoneEvent: keptRequest.milestoneEvent,
        merged: yield* requestsFrom(2, "merge", (asker) => code.merging[slugOf(asker)] ?? code.topic),
        doomed: yield* requestsFrom(2 + askers.length, "doomed", () => code.topic),
        approved: yield* approvedRequest({ ...proposed, iid: 2 + 2 * askers.length, branch: "approved", head: code.topic })
      },
      awardedNote: yield* newAwardedNote("mergeRequest", id, askers.map(userOf)),
      awardedIssueNote: yield* newAwardedNote("issue", id, askers.map(userOf)),
      deployed: yield* newDeployment(id, code.first),
      doomedEnvironments: yield* mapOf(askers, (asker) => newStoppedEnvironment(id, `doomed-${slugOf(asker)}`)),
      issueThreads: {
        kept: yield* newThread("issue", id),
        doomed: yield* mapOf(askers, () => newThread("issue", id)),
        doomedToo: yield* mapOf(askers, () => newThread("issue", id))
      },
      threads: {
        kept: yield* newThread("mergeRequest", id),
        doomed: yield* mapOf(askers, () => newThread("mergeRequest", id)),
        doomedToo: yield* mapOf(askers, () => newThread("mergeRequest", id))
      },
      schedules: {
        kept: yield* newSchedule(id, root),
        own: yield* mapOf(askers, (asker) => newSchedule(id, userOf(asker))),
        taken: yield* mapOf(askers, () => newSchedule(id, root)),
        doomed: yield* mapOf(askers, () => newSchedule(id, root))
      },
      milestones,
      releases: yield* newReleases(id, code.first),
      uploads: yield* newUploads(id),
      issues: {
        kept: yield* newIssue(id, 1),
        doomed: yield* mapOf(askers, (asker) => newIssue(id, 2 + askers.indexOf(asker))),
        awarded: yield* newAwardedIssue(id, 2 + askers.length, askers.map(userOf))
      },
      pipelines: yield* pipelinesFrom(1),
      doomedPipelines: yield* pipelinesFrom(1 + askers.length),
      key: yield* newDeployKey(id),
      leavingKeys: yield* mapOf(askers, () => newDeployKey(id)),
      doomed: yield* mapOf(
        askers,
        Effect.fnUntraced(function* (asker) {
          const doomed = yield* newProject(`doomed-${place}-${slugOf(asker)}`, namespaceId, { visibility: visibilityOf(place) })
          yield* newStar(doomed, userOf(asker))
          return doomed
        })
      )
    }
  })
  return yield* mapOf(places, make)
})

/** Users who are moderated, and what belongs to somebody else. */
const others = Effect.gen(function* () {
  const subjects = ["updated", "deleted", "block", "unblock", "deactivate", "activate", "ban", "unban"] as const
  const ids = yield* mapOf(subjects, (subject) => newUser(`subject-${subject}`))
  yield* handle(userAggregate, get(ids, "unblock"), { _tag: "Block" })
  yield* handle(userAggregate, get(ids, "activate"), { _tag: "Deactivate", at: Date.UTC(2026, 0) })
  yield* handle(userAggregate, get(ids, "unban"), { _tag: "Ban" })
  const somebody = yield* newUser("somebody")
  return {
    subject: (subject: (typeof subjects)[number]) => get(ids, subject),
    somebody,
    theirKey: yield* newUserKey(somebody),
    theirSpareKey: yield* newUserKey(somebody),
    theirToken: yield* newToken(somebody, "api"),
    theirRevokedToken: yield* newToken(somebody, "api"),
    theirRotatedToken: yield* newToken(somebody, "api")
  }
})

/**
 * Everybody with their role, by inheritance, in a group of each visibility and a project in each place, and everything that somebody
 * may take away or change once.
 */
export const world = Effect.gen(function* () {
  const everybody = yield* people
  const [ofGroups, ofProjects] = [yield* crowd("group"), yield* crowd("project")]
  const invitations = yield* inviting(everybody)
  const { doomed, groups, milestones, shelves } = yield* groupsWith(everybody, ofGroups, invitations)
  const projects = yield* projectsWith({ groups, invitations, others: ofProjects, userOf: everybody.userOf })
  const publicKey = yield* newDeployKey()
  const { id: projectId, mergeRequests } = get(projects, "public")
  const target = { type: "MergeRequest", projectId, iid: mergeRequests.approved.iid } as const
  const todos = yield* mapOf(new Set(askers.map(everybody.userOf)), (userId) => newTodo({ userId, target }))
  const elsewhere = yield* others
  yield* settled
  yield* reconcile
  yield* handle(projectAggregate, get(projects, "archived").id, { _tag: "Archive" })
  yield* handle(userAggregate, everybody.userOf("blocked owner"), { _tag: "Block" })
  yield* settled
  return {
    ...everybody,
    ...invitations,
    doomed,
    elsewhere,
    groups,
    milestones,
    ofGroups,
    ofProjects,
    projects,
    publicKey,
    shelves,
    todos: yield* mapOf(askers, (asker) => Effect.succeed(get(todos, everybody.userOf(asker))))
  }
})
