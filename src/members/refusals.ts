import { conflict, forbidden, notFound, thingNotFound, WireError } from "../http/answer/errors.ts"
import type { MemberRefusal } from "./errors.ts"

const exists = conflict("Member already exists")

/** Gap: not shown; the reference's texts for a second share. */
const alreadyShared = {
  groups: conflict("Shared group The group has already been shared with this group"),
  projects: conflict("Project already shared with this group")
}

/** Whoever may not share, or not with this group, is told no more than that. */
export const notToBeShared = new WireError({ status: 404, body: { message: "Not Found" } })

/** The error that a client gets for a refused write. */
export const refusalOf =
  (area: keyof typeof alreadyShared) =>
  (refusal: MemberRefusal | WireError): WireError => {
    switch (refusal._tag) {
      case "WireError":
        return refusal
      case "MemberExists":
        return exists
      case "MemberMissing":
        return notFound
      case "AlreadyShared":
        return alreadyShared[area]
      case "NotShared":
        return thingNotFound("Group Link")
      case "LastOwner":
      case "AboveOwnLevel":
        return forbidden
    }
  }

/** The text of a refusal, as it stands beside the name of one of several users. */
export const reasonOf = ({ body }: WireError): string => {
  const message = typeof body === "object" && body !== null && "message" in body ? body.message : body
  if (typeof message === "string") return message
  const texts = Object.entries(typeof message === "object" && message !== null ? message : {})
  return texts.map(([attribute, reasons]) => `${attribute} ${[reasons].flat().join(", ")}`).join("; ")
}
