const bytes = 16

/** Each connection begins with so many bytes: the id of the process and the descriptor that it becomes, such as `17:1`, and spaces. */
export const headerBytes = bytes

/** @param {number} id @param {number} descriptor @returns {string} */
export const headerOf = (id, descriptor) => `${id}:${descriptor}`.padEnd(bytes)

/** @param {Buffer} header @returns {{ id: number, descriptor: number }} */
export const readHeader = (header) => {
  const [id, descriptor] = header.toString("latin1").split(":").map(Number)
  return { id: id ?? 0, descriptor: descriptor ?? 0 }
}
