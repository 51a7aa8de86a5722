export interface BasicCredentials {
  readonly user: string
  readonly password: string
}

/** User and password of `Authorization: Basic`; undefined for another scheme, and for what cannot be read. */
export const basicCredentials = (authorization: string | undefined): BasicCredentials | undefined => {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization ?? "")?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, "base64").toString("utf8")
  const colon = text.indexOf(":")
  // NUL may be in neither, and the database takes none.
  return colon < 0 || text.includes("\0") ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}
