import { Effect } from "effect"
import { beforeAll } from "vitest"
import { performExport } from "#src/exports/work/performExport.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { type TestService, useService } from "#test/support/service.ts"
import { type Asker, slugOf } from "./askers.ts"
import type { Where } from "./grid.ts"
import { type Crowd, type Filled, get, visibilityOf, world } from "./world.ts"

/** A cluster of its own scope; answers its id. */
const newCluster = async (service: TestService, scope: string): Promise<number> => {
  const platform = { api_url: "https://k8s.example.com", token: "t" }
  const json = { name: scope, environment_scope: scope, platform_kubernetes_attributes: platform }
  const { body } = await service.request("POST", "/admin/clusters/add", { json })
  return (body as { readonly id: number }).id
}

/** A running service with the world of the matrix in it. Answers what a caller finds in a place. */
export const useWorld = () => {
  const service = useService({ SCHEDULES_PER_PROJECT: "0" })
  let made: Effect.Success<typeof world> | undefined
  let clusters: ReadonlyArray<number> = []
  beforeAll(async () => {
    made = await service.run(world)
    for (const { id } of made.projects.values()) {
      await service.request("POST", `/projects/${id}/export_relations`)
      await service.run(Effect.andThen(performExport(id), settled))
    }
    clusters = [await newCluster(service, "kept"), await newCluster(service, "removed")]
  })
  const the = () => {
    if (made === undefined) throw new Error("Known from the first test on")
    return made
  }
  const invitationsOf = (asker: Asker) => ({
    invited: get(the().invited, asker),
    invitedBefore: get(the().invitedBefore, asker)
  })
  /** Its milestones: one that stays, and one for the caller to take away. */
  const ofParent = ({ doomed, kept }: Filled, asker: Asker) => ({ milestone: kept, doomedMilestone: get(doomed, asker) })
  const ofCrowd = ({ leavers, member, newcomers }: Crowd, asker: Asker) => ({
    member,
    newcomer: get(newcomers, asker),
    leaver: get(leavers, asker)
  })
  return {
    service,
    /** The token of the asker; null for nobody. */
    tokenOf: (asker: Asker): string | null => {
      if (asker === "anonymous") return null
      return asker === "unknown token" ? "glpat-nobody-has-this-00" : get(the().tokens, asker).text
    },
    inProject: (place: Where, asker: Asker) => {
      const { ofProjects, projects, publicKey, userOf } = the()
      const project = get(projects, place)
      const { code, doomed, doomedPipelines, id, issues, key, leavingKeys, mergeRequests, milestones, pipelines } = project
      const { awardedIssueNote, awardedNote, issueThreads, schedules, threads } = project
      return {
        id,
        fullPath: `${visibilityOf(place)}-group/${place}`,
        /** In paths and refs, the caller's own within the place. */
        own: slugOf(asker),
        /** The same among all places. */
        unique: `${place}-${slugOf(asker)}`,
        doomed: get(doomed, asker),
        key,
        leavingKey: get(leavingKeys, asker),
        pipeline: get(pipelines, asker).id,
        jobs: get(pipelines, asker).jobs,
        claim: get(pipelines, asker).claim,
        doomedPipeline: get(doomedPipelines, asker).id,
        mergeRequests: {
          kept: mergeRequests.kept,
          keptId: mergeRequests.keptId,
          version: mergeRequests.version,
          labelEvent: mergeRequests.labelEvent,
          milestoneEvent: mergeRequests.milestoneEvent,
          merged: get(mergeRequests.merged, asker).iid,
          doomed: get(mergeRequests.doomed, asker).iid,
          block: get(mergeRequests.doomed, asker).blockId,
          approved: mergeRequests.approved.iid,
          rule: get(mergeRequests.approved.rules, asker),
          award: get(mergeRequests.approved.awards, asker),
          closed: mergeRequests.approved.closed
        },
        issues: {
          kept: issues.kept,
          doomed: get(issues.doomed, asker),
          awarded: issues.awarded.iid,
          award: get(issues.awarded.awards, userOf(asker)),
          closed: issues.awarded.closed
        },
        awardedNote: { id: awardedNote.id, award: get(awardedNote.awards, userOf(asker)) },
        awardedIssueNote: { id: awardedIssueNote.id, award: get(awardedIssueNote.awards, userOf(asker)) },
        deployed: project.deployed,
        doomedEnvironment: get(project.doomedEnvironments, asker),
        issueThreads: {
          kept: issueThreads.kept,
          doomed: get(issueThreads.doomed, asker),
          doomedToo: get(issueThreads.doomedToo, asker)
        },
        threads: {
          kept: threads.kept,
          doomed: get(threads.doomed, asker),
          doomedToo: get(threads.doomedToo, asker)
        },
        releases: {
          link: project.releases.link,
          doomedLink: get(project.releases.doomedLinks, asker),
          evidence: project.releases.evidence
        },
        uploads: {
          kept: project.uploads.kept,
          doomed: get(project.uploads.doomed, asker),
          doomedToo: get(project.uploads.doomedToo, asker)
        },
        schedules: {
          kept: schedules.kept,
          own: get(schedules.own, asker),
          taken: get(schedules.taken, asker),
          doomed: get(schedules.doomed, asker)
        },
        publicKey,
        ...ofParent(milestones, asker),
        ...code,
        ...invitationsOf(asker),
        ...ofCrowd(ofProjects, asker)
      }
    },
    inGroup: (place: Where, asker: Asker) => {
      const { doomed, groups, milestones, ofGroups, shelves } = the()
      const visibility = visibilityOf(place)
      return {
        id: get(groups, visibility),
        /** As in projects. */
        own: slugOf(asker),
        unique: `${visibility}-${slugOf(asker)}`,
        doomed: get(get(doomed, visibility), asker),
        /** A group in the group. */
        shelf: get(shelves, visibility),
        ...ofParent(get(milestones, visibility), asker),
        ...invitationsOf(asker),
        ...ofCrowd(ofGroups, asker)
      }
    },
    anywhere: (asker: Asker) => {
      const { elsewhere, keys, spareKeys, spareTokens, todos, tokens } = the()
      const [revoked, rotated] = spareTokens
      return {
        unique: slugOf(asker),
        ownToken: get(tokens, asker).id,
        /** Of the caller alone, for no other request. Unknown for those who have none. */
        revokedToken: get(revoked, asker).text,
        rotatedToken: get(rotated, asker).text,
        ownKey: get(keys, asker).id,
        ownTodo: get(todos, asker),
        spareKey: get(spareKeys, asker).id,
        ...elsewhere,
        cluster: clusters[0] ?? 0,
        spareCluster: clusters[1] ?? 0
      }
    }
  }
}

export type World = ReturnType<typeof useWorld>
/** What a caller finds in a project, in a group, and in the installation. */
export type InProject = ReturnType<World["inProject"]>
export type InGroup = ReturnType<World["inGroup"]>
export type Anywhere = ReturnType<World["anywhere"]>
