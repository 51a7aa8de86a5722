/** Everything that is not visible ASCII or a space, and what would end the quoted name. */
const special = /[^\x20-\x7e]|["\\%]/g
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The header that makes a download of a file. A name with odd characters is given twice: in ASCII, and as it is. */
export const attachment = (name: string): string => {
  const plain = name.replace(special, "_")
  const full = plain === name ? "" : `; filename*=UTF-8''${encoded(name)}`
  return `attachment; filename="${plain}"${full}`
}
