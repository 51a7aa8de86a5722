import { readdirSync, readFileSync, readlinkSync } from "node:fs"

/** The sockets that a process has open, as `/proc` numbers them. */
const socketsOf = (pid: number): ReadonlySet<string> => {
  const folder = `/proc/${pid}/fd`
  const links = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`)
    } catch {
      // It was closed meanwhile.
      return ""
    }
  })
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
}

/** Whether a process of this machine has a connection over IPv4 whose own end is this port. */
export const ownsPort = (pid: number, port: number): boolean => {
  const sockets = socketsOf(pid)
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  const lines = readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
  return lines.some(([, address, , , , , , , , inode = ""]) => address?.endsWith(local) === true && sockets.has(inode))
}
