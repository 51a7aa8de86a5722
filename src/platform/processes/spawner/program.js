import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { setPriority, tmpdir } from "node:os"
import { join } from "node:path"
import { headerBytes, readHeader } from "./header.js"

// The program of the spawner, of which Spawner.ts tells. It is JavaScript, which starts in half the time.

/**
 * @import { ChildProcess } from "node:child_process"
 * @import { Socket } from "node:net"
 * @import { Duplex } from "node:stream"
 * @import { Ask, Report } from "./messages.ts"
 * @typedef {Extract<Ask, { _tag: "Start" }>} Start
 */

/** The connections that are there, by process and descriptor. @type {Map<number, Map<number, Socket>>} */
const connections = new Map()
/** What was asked for and waits for its connections. @type {Map<number, Start>} */
const waiting = new Map()
/** @typedef {{ child: ChildProcess, isLeader: boolean }} Running @type {Map<number, Running>} */
const running = new Map()
/** The service. */
const parent = process.ppid

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && "code" in error ? String(error.code) : "EUNKNOWN")

/** What cannot be told any more nobody waits for. @param {Report} report */
const tell = (report) => process.send?.(report, undefined, undefined, () => {})

/** @param {number} id */
const closeConnections = (id) => {
  for (const connection of connections.get(id)?.values() ?? []) connection.destroy()
  connections.delete(id)
}

/** Hands on what a connection and a stream of a process say, until either is closed. @param {Duplex} connection @param {Duplex} stream */
const link = (connection, stream) => {
  connection.on("error", () => {}).pipe(stream)
  stream.on("error", () => {}).pipe(connection)
  connection.once("close", () => stream.destroy())
  // What the process said at its end is still on its way.
  stream.once("close", () => stream.readableEnded || connection.destroy())
}

/** @param {Start} asked @param {Map<number, Socket>} given */
const start = ({ args, command, id, options: { niceness = 0, stdio, ...options } }, given) => {
  const child = spawn(command, args, {
    ...options,
    // The system would not let a process wait for what comes over such a connection but for the first three.
    stdio: stdio.map((kind, descriptor) => (descriptor < 3 ? (given.get(descriptor) ?? "ignore") : kind))
  })
  child.once("error", (error) => {
    if (child.pid === undefined) tell({ _tag: "Failed", id, code: codeOf(error) })
  })
  if (child.pid === undefined) return
  running.set(id, { child, isLeader: options.detached === true })
  child.once("exit", (status, signal) => {
    running.delete(id)
    tell({ _tag: "Ended", id, status, signal })
  })
  try {
    if (niceness > 0) setPriority(child.pid, niceness)
  } catch {
    // It has ended, or the system does not allow it.
  }
  for (const [descriptor, connection] of given) {
    const stream = descriptor < 3 ? undefined : child.stdio[descriptor]
    if (stream) {
      given.delete(descriptor)
      link(connection, /** @type {Duplex} */ (stream))
    }
  }
  return child.pid
}

/** Starts what waits, once all its connections are there. @param {number} id */
const startIfWhole = (id) => {
  const asked = waiting.get(id)
  const given = connections.get(id) ?? new Map()
  if (asked === undefined || given.size < asked.options.stdio.filter((kind) => kind === "pipe").length) return
  waiting.delete(id)
  // What a service that was killed had asked for comes before the end of its channel.
  if (process.ppid !== parent) process.exit()
  try {
    const pid = start(asked, given)
    closeConnections(id)
    // Only now may something come over them that is not for this process.
    if (pid !== undefined) tell({ _tag: "Started", id, pid })
  } catch (error) {
    closeConnections(id)
    // For want of memory, or of descriptors.
    tell({ _tag: "Failed", id, code: codeOf(error) })
  }
}

/** @param {Extract<Ask, { _tag: "Signal" }>} asked */
const signal = ({ id, signal: name }) => running.get(id)?.child.kill(name)

/** Ends all that runs; what that started itself and is in no group of its own the warden finds. */
const endAll = () => {
  for (const { child, isLeader } of running.values()) {
    try {
      if (isLeader && child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
      else child.kill("SIGKILL")
    } catch {
      // It has ended.
    }
  }
}

/** @param {Ask} ask */
const answer = (ask) => {
  if (ask._tag === "Signal") signal(ask)
  else if (ask._tag === "Start") {
    waiting.set(ask.id, ask)
    startIfWhole(ask.id)
  } else {
    waiting.delete(ask.id)
    closeConnections(ask.id)
  }
}

/** @param {Socket} connection */
const receive = (connection) => {
  connection.on("error", () => {})
  const read = () => {
    /** @type {Buffer | null} */
    const header = connection.read(headerBytes)
    if (header === null) return
    connection.off("readable", read)
    const { descriptor, id } = readHeader(header)
    const given = connections.get(id) ?? new Map()
    connections.set(id, given.set(descriptor, connection))
    startIfWhole(id)
  }
  connection.on("readable", read)
}

// Nobody else may enter the folder, and so nobody else connects.
const folder = mkdtempSync(join(tmpdir(), "chronoforge-"))
const path = join(folder, "spawner")
process.on("exit", () => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})
// It ends after the service, which may need it to the last.
for (const name of /** @type {const} */ (["SIGHUP", "SIGINT", "SIGTERM"])) process.on(name, () => {})
process.on("disconnect", () => process.exit())
process.on("message", answer)
createServer({ allowHalfOpen: true }, receive).listen(path, () => tell({ _tag: "Ready", path }))
