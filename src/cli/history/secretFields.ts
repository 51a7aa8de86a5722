import type { RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import type { SecretKind } from "../../platform/eventStore/secretTexts.ts"

/**
 * The fields of events that keep secrets, by the type of the event and the path, which leads through lists. A test compares them with the
 * schemas of all events.
 */
export const secretFields: Readonly<Record<string, Readonly<Record<string, SecretKind>>>> = {
  ClusterAdded: { token: "sealed" },
  ClusterTokenReplaced: { token: "sealed" },
  ImportScheduled: { "source.credentials": "sealed" },
  JobMoved: { variables: "sealed" },
  JobsAdded: { "jobs.playVariables": "sealed" },
  PipelineCreated: { variables: "sealed" },
  TokenIssued: { digest: "digest" },
  UploadAdded: { secret: "secret" },
  UploadRemoved: { secret: "secret" },
  UserPasswordChanged: { digest: "digest" },
  VariableAdded: { value: "sealed" },
  VariableChanged: { "changes.value": "sealed" }
}

/** The digest of a token that the service is given has its name reserved, too, so that it is issued once. */
const ofReservedDigest: Readonly<Record<string, SecretKind>> = { name: "digest" }

type Told = Pick<RecordedEvent, "data" | "type">

const isReservedDigest = ({ data, type }: Told): boolean =>
  type === "NameReserved" && typeof data === "object" && data !== null && "kind" in data && data.kind === "token_digest"

/** The fields of an event that keep secrets, by their paths. */
export const secretsOf = (event: Told): ReadonlyMap<string, SecretKind> =>
  new Map(Object.entries(isReservedDigest(event) ? ofReservedDigest : (secretFields[event.type] ?? {})))

/** The id of a command as a reader may see it: that by which the service is given a token has its digest. */
export const shownCommandId = (id: string): string => id.replace(/^ensure-token\/.*$/s, "ensure-token/[digest]")
