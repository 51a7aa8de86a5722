/** A user, the row with this alias, as others refer to them: an object. */
export const referenceTo = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'name', ${alias}.name, 'state', ${alias}.state)`

/** The user with an id, an expression, in the same way; null for none. */
export const referenceById = (id: string): string => `(select ${referenceTo("_u")} from rm_users.users _u where _u.id = ${id})`
