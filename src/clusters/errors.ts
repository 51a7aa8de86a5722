import { Data } from "effect"

/** What an error of a cluster is about: an attribute, or `cluster` and `platform` as a whole. */
export type Attribute =
  | "name"
  | "domain"
  | "cluster"
  | "environmentScope"
  | "managementProject"
  | "apiUrl"
  | "token"
  | "caCert"
  | "namespace"
  | "platform"

/** What is wrong with an attribute, in the words of the answer. */
export interface Fault {
  readonly attribute: Attribute
  readonly text: string
}

/** Everything that is wrong with the wished cluster. */
export class ClusterInvalid extends Data.TaggedError("ClusterInvalid")<{ readonly faults: ReadonlyArray<Fault> }> {}

/** There is a cluster in this stream, or was one. */
export class ClusterExists extends Data.TaggedError("ClusterExists") {}

/** The cluster was never there, or is removed. */
export class ClusterMissing extends Data.TaggedError("ClusterMissing") {}

export type Refusal = ClusterInvalid | ClusterExists | ClusterMissing
