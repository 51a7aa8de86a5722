import type { Attack } from "./Attack.ts"
import { bodies } from "./kinds/bodies.ts"
import { floods } from "./kinds/connections.ts"
import { mergeRequests } from "./kinds/mergeRequests.ts"
import { passwords } from "./kinds/passwords.ts"
import { pipelines } from "./kinds/pipelines.ts"
import { reads } from "./kinds/reads.ts"
import { sites } from "./kinds/sites.ts"
import { slowClients } from "./kinds/slowClients.ts"
import { deltas } from "./kinds/zeroDeltas.ts"

/** The attacks by name, those that change something last. */
export const attacks = {
  compares: reads.compares,
  distantCompares: reads.distantCompares,
  archives: reads.archives,
  slowFetches: slowClients.slowFetches,
  longFetches: slowClients.longFetches,
  slowReaders: slowClients.slowReaders,
  silentPushes: slowClients.silentPushes,
  longCommands: slowClients.longCommands,
  silentConnections: floods.silentConnections,
  pipelining: floods.pipelining,
  manyCallers: floods.manyCallers,
  wrongPasswords: passwords.wrongPasswords,
  largeBodies: bodies.largeBodies,
  everyEndpoint: reads.everyEndpoint,
  oneUser: reads.oneUser,
  mergeRequestLists: mergeRequests.mergeRequestLists,
  largeChanges: mergeRequests.largeChanges,
  movingTarget: mergeRequests.movingTarget,
  manyMerges: mergeRequests.manyMerges,
  longDescriptions: mergeRequests.longDescriptions,
  pipelinesOfNeeds: pipelines.pipelinesOfNeeds,
  siteReads: sites.siteReads,
  siteUploads: sites.siteUploads,
  zeroDeltas: deltas.zeroDeltas,
  treeBomb: reads.treeBomb
} satisfies Readonly<Record<string, Attack>>

/** What some attacks need, which takes long to make, or what not all versions have. */
export const needsOf = (names: ReadonlyArray<string>) => {
  const chosen = names.filter(isAttack).map((name): Attack => attacks[name])
  return {
    mergeRequests: chosen.some(({ needsMergeRequests }) => needsMergeRequests === true),
    everything: chosen.some(({ asksEverything }) => asksEverything === true)
  }
}

export type AttackName = keyof typeof attacks

export const isAttack = (name: string): name is AttackName => name in attacks
