import { open, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { constants, inflate, inflateSync } from "node:zlib"
import type { TreeReader } from "./TreeReader.ts"

const inflated = promisify(inflate)
/** The largest trees that are read here, in bytes of their content. */
const maxBytes = 1024 * 1024
/** So many bytes of a file tell its header: the codes in front of the first block take at most 300. */
const headBytes = 512
const header = /^(blob|tree|commit|tag) (\d+)\0/

/** What the first bytes of an object's file say: its type, and the bytes of its content. */
const headerOf = (head: Buffer): { readonly type: string; readonly size: number; readonly length: number } | undefined => {
  const start = inflateSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1")
  const [text, type, size] = header.exec(start) ?? []
  return text === undefined || type === undefined ? undefined : { type, size: Number(size), length: text.length }
}

/**
 * Reads the trees among the loose objects of a folder, which a small push leaves, and tells the bytes of every object: without a process that
 * is done in a millisecond. Answers false, perhaps after some, where there are packs or large trees, which git has to read.
 */
export const readLooseTrees = async (
  folder: string,
  reader: TreeReader,
  onObject: (bytes: number) => void = () => {}
): Promise<boolean> => {
  const names = await readdir(folder)
  const folders = names.filter((name) => /^[0-9a-f]{2}$/.test(name))
  if (names.includes("pack") && (await readdir(join(folder, "pack"))).length > 0) return false
  for (const prefix of folders) {
    for (const name of await readdir(join(folder, prefix))) {
      await using file = await open(join(folder, prefix, name))
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      const found = headerOf(buffer.subarray(0, bytesRead))
      if (found === undefined) return false
      onObject(found.size)
      if (found.type !== "tree") continue
      if (found.size > maxBytes) return false
      const content = await inflated(await readFile(file), { maxOutputLength: found.length + found.size })
      reader.push(Buffer.from(`${prefix}${name} tree ${found.size}\n`))
      reader.push(Buffer.concat([content.subarray(found.length), Buffer.from("\n")]))
    }
  }
  return true
}
