import { describe, expect, it } from "vitest"
import { presentFaults } from "#src/http/answer/faults.ts"
import { type Attributes, attributeFaults } from "#src/users/faults.ts"
import { usernameErrors } from "#src/users/username.ts"

const format = "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."
const extension = "ending with a reserved file extension is not allowed."

describe("user names", () => {
  it.each([
    ["ada", []],
    ["A.d_a-1", []],
    ["_", []],
    [".ada", []],
    ["a".repeat(255), []],
    ["", ["can't be blank"]],
    ["  ", ["can't be blank"]],
    ["a".repeat(256), ["is too long (maximum is 255 characters)"]],
    ["test!", [format]],
    ["-ada", [format]],
    ["ada.", [format]],
    ["-", [format, "is a reserved name"]],
    ["ada.git", [format]],
    ["ada\n", [format]],
    ["ädä", [format]],
    ["Admin", ["is a reserved name"]],
    ["ada.JSON", [extension]],
    ["ada.atom", [format, extension]],
    ["robots.txt", ["is a reserved name", extension]]
  ])("%j: %j", (username, expected) => {
    expect(usernameErrors(username)).toEqual(expected)
  })
})

const errorsOf = (wanted: Attributes, ownEmail: string) =>
  presentFaults(attributeFaults(wanted, { email: ownEmail, name: "Ada Lovelace", username: "countess" }))

describe("passwords", () => {
  it.each([
    ["12345678", true],
    ["87654321", true],
    ["password", true],
    ["Passw0rd!", true],
    ["password123", true],
    ["2024summer!", true],
    ["qwertyuiop", true],
    ["aaaaaaaa", true],
    ["abcabcabc", true],
    ["iloveyou2", true],
    ["x-gitlab-x", true],
    ["my-lovelace", true],
    ["xxCOUNTESSxx", true],
    ["at-example-net", true],
    ["correct horse battery", false],
    ["Tr0ub4dor-and-horse", false],
    ["kT8vq2Lx", false],
    [`${"kT8vq2Lx".repeat(7)}countess`, false]
  ])("that are easy to guess are refused: %s %s", (password, isCommon) => {
    const text = "must not contain commonly used combinations of words and letters"
    expect(errorsOf({ password, changes: {} }, "a@example.net")).toEqual(isCommon ? { password: [text] } : {})
  })
})

describe("attributes", () => {
  it("are measured in characters, however many units each takes", () => {
    const measured = (count: number) => {
      const text = `${"\u{1f980}".repeat(count - 1)}\u{1f981}`
      return errorsOf({ password: text, changes: { name: text, pronouns: text } }, "a@example.com")
    }
    const long = (maximum: number) => [`is too long (maximum is ${maximum} characters)`]
    expect([4, 8, 50, 51, 128, 129, 255, 256, 511].map(measured)).toEqual([
      { password: ["is too short (minimum is 8 characters)"] },
      {},
      {},
      { pronouns: long(50) },
      { pronouns: long(50) },
      { password: long(128), pronouns: long(50) },
      { password: long(128), pronouns: long(50) },
      { password: long(128), name: long(255), pronouns: long(50) },
      { password: long(128), name: long(255), pronouns: long(50) }
    ])
  })

  it("names every fault at once", () => {
    const wanted = {
      email: "test@example.com",
      password: "pass",
      username: "test!",
      changes: { name: "test", bio: "g".repeat(256), projectsLimit: -1, themeId: 50, colorSchemeId: 0, pronouns: "p".repeat(51) }
    }
    expect(errorsOf(wanted, "test@example.com")).toEqual({
      password: ["is too short (minimum is 8 characters)"],
      projects_limit: ["must be greater than or equal to 0"],
      username: [format],
      theme_id: ["50 is not a valid theme"],
      color_scheme_id: ["0 is not a valid color scheme"],
      bio: ["is too long (maximum is 255 characters)"],
      pronouns: ["is too long (maximum is 50 characters)"]
    })
  })

  it.each([
    [{ email: "", changes: {} }, { email: ["can't be blank"] }],
    [{ email: "invalid email", changes: {} }, { email: ["is invalid"] }],
    [{ email: "a@b@c", changes: {} }, { email: ["is invalid"] }],
    [{ password: "", changes: {} }, { password: ["can't be blank"] }],
    [{ password: "p".repeat(129), changes: {} }, { password: ["is too long (maximum is 128 characters)"] }],
    [{ changes: { name: " " } }, { name: ["can't be blank"] }],
    [{ changes: { name: "n".repeat(256) } }, { name: ["is too long (maximum is 255 characters)"] }],
    [{ changes: { projectsLimit: 2 ** 31 } }, { projects_limit: ["must be less than or equal to 2147483647"] }],
    [{ changes: { publicEmail: "other@example.com" } }, { public_email: ["is not an email you own"] }],
    [{ changes: { commitEmail: "other@example.com" } }, { commit_email: ["is not an email you own"] }],
    [{ changes: { publicEmail: "ada@example.com", commitEmail: "_private" } }, {}],
    [{ changes: {} }, {}]
  ])("%j: %j", (wanted, expected) => {
    expect(errorsOf(wanted, "ada@example.com")).toEqual(expected)
  })
})

describe("accounts elsewhere", () => {
  const website = (websiteUrl: string) => errorsOf({ changes: { websiteUrl } }, "ada@example.com")
  const discord = (id: string) => errorsOf({ changes: { discord: id } }, "ada@example.com")
  const long = ["is too long (maximum is 500 characters)"]

  it.each(["", " ", "http://a.example", "HTTPS://a.example:8443/b?c#d"])("the website %j is one", (url) => {
    expect(website(url)).toEqual({})
  })

  it.each(["a.example", "ftp://a.example", "javascript:alert(1)", "//a.example", "mailto:a@example.com"])(
    "the website %j has no scheme of the web",
    (url) => expect(website(url)).toEqual({ website_url: ["is blocked: Only allowed schemes are http, https"] })
  )

  it.each(["http://", "https://a b", "http://a:x"])("the website %j is no address", (url) => {
    expect(website(url)).toEqual({ website_url: ["is blocked: URI is invalid"] })
  })

  it.each(["", "1".repeat(17), "1".repeat(20)])("the Discord account %j is one", (id) => {
    expect(discord(id)).toEqual({})
  })

  it.each(["ada", "ada#1234", "1".repeat(16), "1".repeat(21), `${"1".repeat(18)}\n`])("the Discord account %j is none", (id) => {
    expect(discord(id)).toEqual({ discord: ["must contain only a discord user ID."] })
  })

  it("have at most 500 characters; names and addresses are taken for others", () => {
    const changes = (text: string) => ({ skype: text, linkedin: text, twitter: text })
    expect(errorsOf({ changes: changes("https://a.example/@ada b") }, "ada@example.com")).toEqual({})
    expect(errorsOf({ changes: changes("x".repeat(501)) }, "ada@example.com")).toEqual({
      skype: long,
      linkedin: long,
      twitter: long
    })
    expect(website(`http://${"w".repeat(500)}`)).toEqual({ website_url: long })
    expect(discord("d".repeat(501))).toEqual({ discord: [...long, "must contain only a discord user ID."] })
  })
})
