import { describe, expect, it } from "vitest"
import { remoteFault } from "#src/imports/remote/fault.ts"
import { percentOf } from "#src/imports/work/fetchAll.ts"

it.each([
  ["Receiving objects:   0% (1/1000)", 0],
  ["Receiving objects:  50% (500/1000), 1.00 MiB | 2.00 MiB/s", 40],
  ["Receiving objects: 100% (1000/1000), 2.00 MiB | 2.00 MiB/s, done.", 80],
  ["Resolving deltas:   0% (0/12)", 80],
  ["Resolving deltas: 100% (12/12), done.", 99],
  ["remote: Receiving objects: 100% (1/1)", undefined],
  ["remote: Counting objects:  20% (1/5)", undefined],
  ["Receiving objects: 999% (1/1)", 80],
  ["From http://example.com/a", undefined]
])("%s", (line, percent) => {
  expect(percentOf(line)).toBe(percent)
})

describe("why a fetch failed", () => {
  it.each([
    [
      "fatal: could not read Username for 'http://h/': terminal prompts disabled",
      "The server refused the credentials, or needs some"
    ],
    [
      "fatal: unable to access 'http://h/': The requested URL returned error: 302",
      "The address leads on to another one, which is not followed; often it only lacks .git at its end"
    ],
    ["fatal: repository 'http://h/a.git/' not found", "There is no repository at this address"],
    ["fatal: repository '/etc' does not exist", "There is no repository at this address"],
    ["fatal: source repository is shallow, reject to clone.", "The repository is shallow: a part of its history is missing"],
    [
      "fatal: git upload-pack: aborting due to possible repository corruption on the remote side.\nfatal: protocol error: bad pack header",
      "Objects of the repository are damaged or missing"
    ],
    [
      "fatal: unable to access 'http://h/': Failed to connect to h port 80: Connection refused",
      "The server could not be reached"
    ],
    [
      "fatal: unable to access 'https://tls.h/openssl.git/': Failed to connect to tls.h port 443: Couldn't connect to server",
      "The server could not be reached"
    ],
    [
      "fatal: unable to access 'https://h/openssl.git/': The requested URL returned error: 418",
      "The repository could not be fetched"
    ],
    [
      "fatal: unable to access 'https://h/': SSL certificate problem: self-signed certificate",
      "There is no secure connection to the server: its certificate could not be verified"
    ],
    ["fatal: http://h/info/refs not valid: is this a git repository?", "The server does not answer as git does"],
    [
      "error: object 0123456789012345678901234567890123456789: badTree: cannot be parsed\nfatal: fsck error in pack objects",
      "Objects of the repository are damaged"
    ],
    ["fatal: early EOF", "The connection broke off"],
    ["remote: returned error: 403 your password is hunter2", "The repository could not be fetched"],
    ["fatal: remote error: hunter2", "The repository could not be fetched"]
  ])("%s", (stderr, reason) => {
    expect(remoteFault(stderr)).toBe(reason)
  })
})
