/** Everything that is not visible ASCII or a space, and what would end the quoted name. */
const special = /[^\x20-\x7e]|["\\%]/g

const plain = (name: string): string => `filename="${name.replace(special, "_")}"`

const full = (name: string): string =>
  `filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`

/** The header that makes a download of a file. A name with odd characters is given twice: in ASCII, and as it is. */
export const attachment = (name: string): string =>
  ["attachment", plain(name), ...(name.search(special) === -1 ? [] : [full(name)])].join("; ")

/** The header of a file that is shown where it is asked for. Its name is always given twice, as the reference does. */
export const inline = (name: string): string => ["inline", plain(name), full(name)].join("; ")
