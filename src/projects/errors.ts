import { Data } from "effect"
import type { MemberRefusal } from "../members/errors.ts"
import type { RefKind } from "./events.ts"
import type { ProjectFault } from "./faults.ts"

/** Everything that is wrong with the requested project. */
export class ProjectInvalid extends Data.TaggedError("ProjectInvalid")<{ readonly faults: ReadonlyArray<ProjectFault> }> {}

/** There is a project in this stream, or was one. */
export class ProjectExists extends Data.TaggedError("ProjectExists") {}

/** The project was never there, or is deleted. */
export class ProjectMissing extends Data.TaggedError("ProjectMissing") {}

/** The project lies in the namespace already that it shall be transferred to. */
export class ProjectInNamespace extends Data.TaggedError("ProjectInNamespace") {}

/** The project has another place, or another name, than when the command was made. */
export class ProjectMoved extends Data.TaggedError("ProjectMoved") {}

/** A name that is protected already. */
export class ProtectionExists extends Data.TaggedError("ProtectionExists")<{
  readonly kind: RefKind
  readonly name: string
}> {}

export class ProtectionMissing extends Data.TaggedError("ProtectionMissing")<{ readonly name: string }> {}

/** Everything that is wrong with the requested protection. */
export class ProtectionInvalid extends Data.TaggedError("ProtectionInvalid")<{ readonly texts: ReadonlyArray<string> }> {}

/** The group or user in whose namespace it would lie is deleted. */
export class NamespaceMissing extends Data.TaggedError("NamespaceMissing") {}

export type Refusal =
  | ProjectInvalid
  | ProjectExists
  | ProjectMissing
  | ProjectInNamespace
  | ProjectMoved
  | ProtectionExists
  | ProtectionMissing
  | ProtectionInvalid
  | MemberRefusal
