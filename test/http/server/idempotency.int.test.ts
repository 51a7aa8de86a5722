import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { beforeAll, describe, expect, it, vi } from "vitest"
import { claimRequest, deleteExpiredAnswers, releaseClaim, renewClaim } from "#src/http/server/idempotency.ts"
import { idempotent } from "#src/http/server/perform.ts"
import type { RequestRun } from "#src/platform/CurrentRun.ts"
import { type Name, reserve } from "#src/platform/Reservations.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { holdUsers } from "#test/support/people/holdUsers.ts"
import { requestEvents } from "#test/support/requests/requestEvents.ts"
import { type Received, rootToken, type Sent, useService } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"

const service = useService()
let user = 0
beforeAll(async () => {
  user = await createUser(service, "subject")
})

const send = (key: string, method: string, path: string, sent: Sent = {}) =>
  service.request(method, path, { ...sent, headers: { ...sent.headers, "idempotency-key": key } })

const account = (username: string) => ({
  json: { username, name: username, email: `${username}@example.com`, force_random_password: true }
})
const note = (text: string) => ({ json: { note: text } })

const seen = ({ body, headers, status }: Received) => ({ status, body, position: headers.get("x-chronoforge-position") })
const noteOf = ({ body }: Received): unknown => field(body, "note")
const idOf = ({ body }: Received): unknown => field(body, "id")

const written = () => requestEvents(service)

/** Makes a remembered answer, or a claim, older. */
const age = (key: string, by: string) =>
  service.run(
    Sql.use(({ client }) =>
      query(() => client`update chronoforge.idempotent_answers set started_at = started_at - ${by}::interval where key = ${key}`)
    ).pipe(Effect.asVoid)
  )

const isYoung = (key: string) =>
  service.run(
    Sql.use(({ client }) =>
      query(async () => {
        const [row] =
          await client`select started_at > now() - interval '5 seconds' as young from chronoforge.idempotent_answers where key = ${key}`
        return row?.young === true
      })
    )
  )

const usernameOf = ({ body }: Received): unknown => field(body, "username")

/** Reserves a name for a user who never comes, and lets the time go by after which others may have it. */
const reserveForNobody = async (name: Name) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 60_000 })
  await service.run(reserve(name, "user-900000", () => Effect.succeed(true)))
  vi.useRealTimers()
}

const otherRequest = { message: "Idempotency-Key was used for another request: method, path or parameters differ" }
const stillRunning = { message: "A request with this Idempotency-Key is still running" }

describe("a repeated request", () => {
  it("is answered like the first, with its position, and writes nothing", async () => {
    const first = await send("create", "POST", "/users", account("once"))
    const before = await written()
    const second = await send("create", "POST", "/users", account("once"))
    expect(first.status).toBe(201)
    expect(seen(second)).toEqual(seen(first))
    expect(await written()).toBe(before)
  })

  it("of a deletion is answered without a body too", async () => {
    const id = await createUser(service, "short-lived")
    const answers = [await send("delete", "DELETE", `/users/${id}`), await send("delete", "DELETE", `/users/${id}`)]
    expect(answers.map(({ body, status }) => [status, body])).toEqual([
      [204, undefined],
      [204, undefined]
    ])
  })

  it.each([
    ["body", "PUT", () => `/users/${user}`, note("b")],
    ["path", "PUT", () => "/users/1", note("a")],
    ["query", "PUT", () => `/users/${user}?x=1`, note("a")],
    ["method", "DELETE", () => `/users/${user}`, note("a")]
  ])("with another %s is refused", async (part, method, path, sent) => {
    await send(`other ${part}`, "PUT", `/users/${user}`, note("a"))
    const answer = await send(`other ${part}`, method, path(), sent)
    expect([answer.status, answer.body]).toEqual([422, otherRequest])
  })

  it("is the same whatever separates its parts, in whatever order, and wherever its token is", async () => {
    const form = { note: "same", location: "here" }
    const first = await send("forms", "PUT", `/users/${user}`, { multipart: form })
    const again: ReadonlyArray<Sent> = [
      { multipart: form },
      { form: { location: "here", note: "same" } },
      { multipart: { ...form, private_token: rootToken }, token: null },
      { multipart: form, query: { access_token: rootToken }, token: null }
    ]
    for (const sent of again) expect(seen(await send("forms", "PUT", `/users/${user}`, sent))).toEqual(seen(first))
    const asUser = await send("forms", "PUT", `/users/${user}`, { multipart: { ...form, sudo: "1" } })
    expect([asUser.status, asUser.body]).toEqual([422, otherRequest])
  })

  it("is another request where its token is what it is about", async () => {
    const [one, other] = [await issueTokenFor(service, user), await issueTokenFor(service, user)]
    const revoke = (token: string) => send("self", "DELETE", "/personal_access_tokens/self", { token })
    expect([(await revoke(one.text)).status, (await revoke(other.text)).status]).toEqual([204, 422])
  })

  it("of somebody else under the same key is another request", async () => {
    const { text } = await issueTokenFor(service, user)
    const own = await send("shared", "POST", "/user/keys", { json: { title: "x" } })
    const theirs = await send("shared", "PUT", `/users/${user}`, { token: text, ...note("x") })
    expect([own.status, theirs.status]).toEqual([400, 403])
  })

  it("that was refused is judged again", async () => {
    const first = await send("refused", "POST", "/users", account("subject"))
    const second = await send("refused", "POST", "/users", account("subject"))
    expect([first.status, second.status, second.body]).toEqual([409, 409, first.body])
  })

  it("that was refused reserves again what it gave back", async () => {
    const wanted = { json: { ...account("subject").json, email: "given-back@example.com" } }
    expect((await send("gave back", "POST", "/users", wanted)).status).toBe(409)
    await service.request("PUT", `/users/${user}`, { json: { username: "subject-2" } })
    expect((await send("gave back", "POST", "/users", wanted)).status).toBe(201)
    const rival = { json: { ...account("rival").json, email: "given-back@example.com" } }
    expect((await service.request("POST", "/users", rival)).status).toBe(409)
  })

  it("is refused like any other once its token is revoked", async () => {
    const { id, text } = await issueTokenFor(service, 1)
    expect((await send("revoked", "PUT", `/users/${user}`, { token: text, ...note("r") })).status).toBe(200)
    await service.request("DELETE", `/personal_access_tokens/${id}`)
    expect((await send("revoked", "PUT", `/users/${user}`, { token: text, ...note("r") })).status).toBe(401)
  })
})

describe("while the first request runs", () => {
  it("a repeat is 409; afterwards it gets the answer", async () => {
    const release = await holdUsers(service)
    const before = await written()
    const first = send("slow", "POST", "/users", account("slow"))
    await expect.poll(written).toBeGreaterThan(before)
    const during = await send("slow", "POST", "/users", account("slow"))
    await release()
    expect([during.status, during.body]).toEqual([409, stillRunning])
    const [answered, after] = [await first, await send("slow", "POST", "/users", account("slow"))]
    expect([answered.status, seen(after)]).toEqual([201, seen(answered)])
  })

  it("of 16 at once one writes", async () => {
    const before = await written()
    const answers = await Promise.all(Array.from({ length: 16 }, () => send("race", "PUT", `/users/${user}`, note("race"))))
    const others = answers.filter(({ status }) => status !== 200).map(({ body, status }) => [status, body])
    expect(others).toEqual(others.map(() => [409, stillRunning]))
    expect(others.length).toBeLessThan(16)
    expect((await written()) - before).toBe(1)
  })
})

describe("after a crash between append and answer", () => {
  it("the repeat of a creation finds what the first one made", async () => {
    const first = await send("crash create", "POST", "/users", account("crashed"))
    await forgetAnswer(service, "crash create")
    const before = await written()
    const second = await send("crash create", "POST", "/users", account("crashed"))
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(await written()).toBe(before)
  })

  it("the repeat of a change does not undo later ones", async () => {
    await send("crash change", "PUT", `/users/${user}`, note("first"))
    await forgetAnswer(service, "crash change")
    await service.request("PUT", `/users/${user}`, note("later"))
    const before = await written()
    const second = await send("crash change", "PUT", `/users/${user}`, note("first"))
    expect([second.status, noteOf(second), await written()]).toEqual([200, "later", before])
  })

  it("the repeat of a creation that took over a dead reservation finds what the first one made", async () => {
    await reserveForNobody({ kind: "namespace", text: "heir" })
    const first = await send("crash heir", "POST", "/users", account("heir"))
    await forgetAnswer(service, "crash heir")
    const before = await written()
    const second = await send("crash heir", "POST", "/users", account("heir"))
    expect([first.status, second.status, second.body, await written()]).toEqual([201, 201, first.body, before])
  })

  it("the repeat of a change of names does not depend on whether they were free", async () => {
    const id = await createUser(service, "dead")
    await reserveForNobody({ kind: "namespace", text: "taken-over" })
    const rename = () => send("crash rename", "PUT", `/users/${id}`, { json: { username: "taken-over" } })
    const first = await rename()
    await forgetAnswer(service, "crash rename")
    await service.request("PUT", `/users/${id}`, { json: { username: "and-on" } })
    await createUser(service, "taken-over")
    const before = await written()
    const second = await rename()
    expect([first.status, second.status, usernameOf(second), await written()]).toEqual([200, 200, "and-on", before])
  })

  it("one that takes longer still runs", async () => {
    const asked = { caller: 1, key: "long", method: "PUT", path: "/long", parameters: {} }
    const answer = { status: 200, headers: {}, body: "{}" }
    const renewed = Effect.andThen(
      TestClock.adjust("30 seconds"),
      Effect.promise(() => isYoung("long"))
    ).pipe(Effect.repeat({ until: (is) => is }))
    const found = await service.run(
      Effect.gen(function* () {
        const end = yield* Deferred.make<void>()
        const running = yield* Effect.forkChild(
          idempotent(asked, Effect.as(Deferred.await(end), [answer, { body: {} }] as const), () => Effect.void)
        )
        yield* Effect.promise(() => until(() => isYoung("long")))
        for (let time = 0; time < 2; time++) {
          yield* Effect.promise(() => age("long", "6 seconds"))
          yield* renewed
        }
        const refused = yield* Effect.flip(claimRequest(asked))
        yield* Deferred.succeed(end, undefined)
        return [refused, yield* Fiber.join(running), yield* claimRequest(asked)]
      }).pipe(Effect.provide(TestClock.layer()))
    )
    expect(found).toMatchObject([{ status: 409, body: stillRunning }, answer, { _tag: "Answered", answer, file: undefined }])
  })

  it("one that says late that it runs does not keep what was opened again", async () => {
    const asked = { caller: 1, key: "late", method: "PUT", path: "/late", parameters: {} }
    const again = await service.run(
      Effect.gen(function* () {
        yield* claimRequest(asked)
        yield* releaseClaim(asked)
        const renewal = yield* Effect.forkChild(renewClaim(asked))
        // Long enough for a renewal to arrive.
        for (let time = 0; time < 20; time++) {
          yield* TestClock.adjust("30 seconds")
          yield* Effect.promise(() => isYoung("late"))
        }
        yield* Fiber.interrupt(renewal)
        return yield* claimRequest(asked)
      }).pipe(Effect.provide(TestClock.layer()))
    )
    expect(again._tag).toBe("Claimed")
  })

  it("a run that was taken for dead and wakes takes the ids of the one after it, so that nothing is there twice", async () => {
    const asked = { caller: 1, key: "woken", method: "POST", path: "/woken", parameters: {} }
    const claimed = async () => {
      const claim = await service.run(claimRequest(asked))
      return claim._tag === "Claimed" ? claim.run : expect.unreachable()
    }
    const takes = (run: RequestRun, id: number) => service.run(run.remember(Effect.succeed(id)))
    const frozen = await claimed()
    expect(await takes(frozen, 1)).toBe(1)
    await age("woken", "9 seconds")
    const next = await claimed()
    expect([next.isRepeat, next.nextCommandId("a")]).toEqual([true, frozen.nextCommandId("a")])
    expect([await takes(next, 2), await takes(next, 3)]).toEqual([1, 3])
    // The one behind is faster here, and slower there.
    expect([await takes(frozen, 4), await takes(frozen, 5), await takes(next, 6)]).toEqual([3, 5, 5])
  })

  it("before eight seconds are over the first may still be running", async () => {
    await send("young", "PUT", `/users/${user}`, note("young"))
    await forgetAnswer(service, "young")
    await age("young", "-6 seconds")
    const answer = await send("young", "PUT", `/users/${user}`, note("young"))
    expect([answer.status, answer.body]).toEqual([409, stillRunning])
  })
})

describe("after 24 hours", () => {
  it("a key may be used again, for the same thing or another, and takes effect", async () => {
    await send("old", "PUT", `/users/${user}`, note("monday"))
    await age("old", "24 hours")
    expect(noteOf(await send("old", "PUT", `/users/${user}`, note("tuesday")))).toBe("tuesday")
    await service.request("PUT", `/users/${user}`, note("between"))
    await age("old", "24 hours")
    expect(noteOf(await send("old", "PUT", `/users/${user}`, note("tuesday")))).toBe("tuesday")
  })

  it("a creation makes another thing", async () => {
    const create = () => send("old create", "POST", "/users/1/personal_access_tokens", { json: { name: "n", scopes: ["api"] } })
    const first = await create()
    await age("old create", "24 hours")
    const second = await create()
    expect([first.status, second.status, idOf(first) === idOf(second)]).toEqual([201, 201, false])
  })

  it("the answer is dropped", async () => {
    await send("dropped", "PUT", `/users/${user}`, note("dropped"))
    await send("kept", "PUT", `/users/${user}`, note("kept"))
    await age("dropped", "24 hours")
    await service.run(deleteExpiredAnswers)
    const keys = await service.run(
      Sql.use(({ client }) =>
        query(
          () => client<Array<{ key: string }>>`select key from chronoforge.idempotent_answers where key in ('dropped', 'kept')`
        )
      )
    )
    expect(keys.map(({ key }) => key)).toEqual(["kept"])
  })
})

describe("an answer with a secret", () => {
  const issue = (key: string) =>
    send(key, "POST", "/users/1/personal_access_tokens", { json: { name: "secret", scopes: ["api"] } })
  const gone = (id: unknown) => ({
    message: `This request was carried out already, and its secret is shown only once: personal access token ${id}`
  })

  it("is not kept: the repeat is 409 and names what was made", async () => {
    const first = await issue("secret")
    const second = await issue("secret")
    expect([first.status, second.status, second.body]).toEqual([201, 409, gone(idOf(first))])
    const [row] = await service.run(
      Sql.use(({ client }) => query(() => client`select headers, body from chronoforge.idempotent_answers where key = 'secret'`))
    )
    expect(row).toEqual({ headers: null, body: null })
  })

  it("that was lost in a crash is not made up", async () => {
    const first = await issue("lost secret")
    await forgetAnswer(service, "lost secret")
    const repeats = [await issue("lost secret"), await issue("lost secret")]
    expect(repeats.map(({ body, status }) => [status, body])).toEqual([
      [409, gone(idOf(first))],
      [409, gone(idOf(first))]
    ])
  })
})

describe("keys", () => {
  it("of more than 255 characters are refused", async () => {
    const answer = await send("k".repeat(256), "PUT", `/users/${user}`, note("long"))
    const message = "400 Bad request - Idempotency-Key is longer than 255 characters"
    expect([answer.status, answer.body]).toEqual([400, { message }])
  })

  it("mean nothing to reads", async () => {
    const answers = [await send("read", "GET", "/user"), await send("read", "GET", "/version")]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })
})
