import type { Signature } from "../../git/objects/signature.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { commitEmail } from "../../http/answer/shapes.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"

/** A person as commits and tags name them. */
export interface Identity {
  readonly name: string
  readonly email: string
}

export const identityOf = ({ user }: Caller, { externalUrl }: RequestInfo): Identity => ({
  name: user.name,
  email: commitEmail(user, externalUrl)
})

/** A signature at `seconds` since 1970, in UTC. */
export const signed = ({ email, name }: Identity, seconds: number): Signature => ({ name, email, seconds, offset: "+0000" })

export interface AuthorParameters {
  readonly author_name?: string | null
  readonly author_email?: string | null
}

/** What is not given, or blank, is the caller's. */
export const authorOf = (parameters: AuthorParameters, caller: Identity): Identity => ({
  name: parameters.author_name?.trim() || caller.name,
  email: parameters.author_email?.trim() || caller.email
})
