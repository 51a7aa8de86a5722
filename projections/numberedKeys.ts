/** Issues or merge requests of a statement that asks for several. */
export interface Keys {
  readonly projectIds: ReadonlyArray<number>
  readonly iids: ReadonlyArray<number>
}

/** The key of an issue or a merge request among those that are asked for in one statement. */
export const numberedKey = (projectId: number, iid: number): string => `${projectId} ${iid}`

export const keysIn = (keys: ReadonlyArray<string>): Keys => {
  const parts = keys.map((key) => key.split(" ").map(Number))
  return { projectIds: parts.map(([projectId = 0]) => projectId), iids: parts.map(([, iid = 0]) => iid) }
}
