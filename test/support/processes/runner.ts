import { spawnSync } from "node:child_process"
import { openSync } from "node:fs"
import { type Ran, type Run, readMessage, writeMessage } from "./runMessages.ts"

// Runs one program after the other for runProgram.ts, until whoever asks has ended.

const maxOutputBytes = 256 * 1024 * 1024

const [ask = "", answer = ""] = process.argv.slice(2)
const [asked, answered] = [openSync(ask, "r"), openSync(answer, "w")]
for (let run = readMessage<Run>(asked); run !== undefined; run = readMessage<Run>(asked)) {
  const { args, command, ...options } = run.head
  const { error, signal, status, stderr, stdout } = spawnSync(command, args, {
    ...options,
    input: run.body,
    maxBuffer: maxOutputBytes
  })
  const failure = error?.message ?? (signal === null ? undefined : `ended by ${signal}`)
  const ran: Ran = { status, stdoutBytes: stdout?.length ?? 0, ...(failure === undefined ? {} : { error: failure }) }
  writeMessage(answered, ran, Buffer.concat([stdout ?? Buffer.alloc(0), stderr ?? Buffer.alloc(0)]))
}
