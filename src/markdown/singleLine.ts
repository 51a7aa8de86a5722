import { escapeHtml } from "./escapeHtml.ts"
import { externalLinkAttributes } from "./links.ts"

/** A text that is longer has no links. */
const maxLinked = 1_024
const away = Object.entries(externalLinkAttributes)
  .map(([name, value]) => `${name}="${value}"`)
  .join(" ")

/** An address without the signs behind it that belong to its sentence. */
const withoutEnd = (address: string): string => {
  const closing = address.includes("(") ? "" : ")"
  let end = address.length
  while (`.,:;!?"'${closing}`.includes(address.charAt(end - 1))) end--
  return address.slice(0, end)
}

/**
 * HTML that is safe to show of a text in a line of something else, such as a title: as it is written, without Markdown, with links from bare
 * addresses.
 */
export const renderSingleLine = (text: string): string => {
  if (text.length > maxLinked || !text.includes("://")) return escapeHtml(text)
  let html = ""
  let from = 0
  for (const { 0: found, index } of text.matchAll(/(?<![\p{L}\p{N}_])(?:https?|ftp):\/\/[\p{L}\p{N}[][^\s<>]*/giu)) {
    const address = withoutEnd(found)
    const shown = escapeHtml(address)
    html += `${escapeHtml(text.slice(from, index))}<a href="${shown}" ${away}>${shown}</a>`
    from = index + address.length
  }
  return html + escapeHtml(text.slice(from))
}
