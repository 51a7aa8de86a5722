import { Effect } from "effect"
import { badRequest, conflict, invalidRecord, notFound, WireError } from "../http/answer/errors.ts"
import { presentFaults } from "../http/answer/faults.ts"
import { defined } from "../kernel/defined.ts"
import type { MemberRefusal } from "../members/errors.ts"
import type { NamespaceMissing, Refusal } from "./errors.ts"
import type { NamesTaken } from "./names.ts"
import { projectNotFound } from "./Projects.ts"

const taken = ["has already been taken"]

/** The errors that a client gets for names that something else has. */
export const takenNames = ({ attributes }: NamesTaken): Readonly<Record<string, ReadonlyArray<string>>> => {
  const [ofName, ofPath] = [attributes.includes("name") ? taken : undefined, attributes.includes("path") ? taken : undefined]
  return defined({ "project_namespace.name": ofName, name: ofName, path: ofPath })
}

/** Gap: what `limit_reached` holds beside the namespace is not shown; nothing here. */
export const namespaceIsInvalid = invalidRecord({ namespace: ["is not valid"], limit_reached: [] })

/** Why a project cannot be transferred, in the form that the reference prints such errors in. */
export const transferFailed = (reason: string): WireError =>
  badRequest(`Failed to transfer project {:new_namespace=>[${JSON.stringify(reason)}]}`)

const movedMeanwhile = conflict("The project was moved or renamed at the same time")

type Answered = Exclude<Refusal, MemberRefusal>

/** Answers the refusals of writes; those about members are answered by their endpoints. */
export const refuse = <A, R>(written: Effect.Effect<A, Refusal | NamesTaken | NamespaceMissing | WireError, R>) =>
  Effect.mapError(
    Effect.catchTag(
      written,
      ["MemberExists", "MemberMissing", "LastOwner", "AboveOwnLevel", "AlreadyShared", "NotShared"],
      Effect.die
    ),
    wireError
  )

const wireError = (refusal: Answered | NamesTaken | NamespaceMissing | WireError): WireError => {
  switch (refusal._tag) {
    case "WireError":
      return refusal
    case "ProjectInvalid":
      return invalidRecord(presentFaults(refusal.faults))
    case "NamesTaken":
      return invalidRecord(takenNames(refusal))
    case "NamespaceMissing":
      return namespaceIsInvalid
    case "ProjectMissing":
      return projectNotFound
    case "ProjectInNamespace":
      return transferFailed("Project is already in this namespace.")
    case "ProjectMoved":
      return movedMeanwhile
    case "ProtectionExists":
      return refusal.kind === "branch"
        ? conflict(`Protected branch '${refusal.name}' already exists`)
        : new WireError({ status: 422, body: { message: ["Name has already been taken"] } })
    case "ProtectionMissing":
      return notFound
    case "ProtectionInvalid":
      return new WireError({ status: 422, body: { message: refusal.texts } })
    case "ProjectExists":
      return new WireError({ status: 409, body: { message: "409 Conflict" } })
  }
}
