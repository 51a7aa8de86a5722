import { everybody, type Somebody } from "#test/support/people/everybody.ts"

/** Groups and projects by their visibility, and public projects that are archived, or whose repository is for members or switched off. */
export const visibilities = ["private", "internal", "public"] as const
export const places = [...visibilities, "archived", "members", "disabled"] as const
export type Place = (typeof places)[number]
/** A place, or anywhere where places do not matter. */
export type Where = Place | "anywhere"

export type Answer = readonly [status: number, body: unknown]
const said = (status: number, message: unknown): Answer => [status, { message }]
const gitDenied =
  "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or you're required to use a token instead of a password. If a token was provided, it was either incorrect, expired, or improperly scoped."

/** Whatever is refused is refused in one of these ways. */
export const refusals = {
  401: said(401, "401 Unauthorized"),
  403: said(403, "403 Forbidden"),
  "403push": said(403, "403 Forbidden - You are not allowed to push into this branch"),
  "403log": said(403, "403 Forbidden - You are not allowed to commit a changelog on this branch"),
  "403prot": said(403, "You don't have push access to this branch"),
  "403rebase": said(403, "403 Forbidden - Cannot push to source branch"),
  "403user": said(403, "403 Forbidden - Not authorized!"),
  "403users": said(403, "403 Forbidden - Not authorized to access /api/v4/users"),
  "403limit": [403, { error: ["Your project limit is 0 projects! Please contact your administrator to increase it"] }],
  "400path": said(400, { namespace: ["is not valid"], limit_reached: [] }),
  "400pipeline": said(400, { base: ["Insufficient permissions to create a new pipeline"] }),
  404: said(404, "404 Not found"),
  "404fork": said(404, "404 Not Found"),
  "404share": said(404, "Not Found"),
  "404project": said(404, "404 Project Not Found"),
  "404award": said(404, "404 Award Emoji Not Found"),
  "404group": said(404, "404 Group Not Found"),
  "404schedule": said(404, "404 Pipeline Schedule Not Found"),
  "404namespace": said(404, "404 Namespace Not Found"),
  "404repo": said(404, "404 Repository Not Found"),
  git401: [401, gitDenied],
  git403fetch: [403, "You are not allowed to download code from this project."],
  git403push: [403, "You are not allowed to push code to this project."],
  git404: [404, "The project you were looking for could not be found or you don't have permission to view it."]
} as const satisfies Readonly<Record<string, Answer>>
type Refusal = `${keyof typeof refusals}`
export type Verdict = "ok" | Refusal

/** What everybody is told, in each kind of place where it is asked. */
export type Grid = ReadonlyMap<Where, ReadonlyMap<Somebody, Verdict>>

const isVerdict = (text: string): text is Verdict => text === "ok" || Object.hasOwn(refusals, text)
const isPlace = (text: string): text is Where => text === "anywhere" || places.some((place) => place === text)

/** A table with everybody above it. A line holds for all the places that it begins with, joined by commas. */
export const grid = ([text = ""]: TemplateStringsArray): Grid => {
  const [head = [], ...lines] = text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
  if (head.join() !== everybody.join()) throw new Error(`Others: ${head}`)
  return new Map(
    lines.flatMap(([names = "", ...verdicts]) => {
      if (verdicts.length !== everybody.length || !verdicts.every(isVerdict)) throw new Error(`Not a line: ${names} ${verdicts}`)
      const told = new Map(
        everybody.flatMap((somebody, index) => (isVerdict(verdicts[index] ?? "") ? [[somebody, verdicts[index]]] : []))
      )
      return names.split(",").map((place) => {
        if (!isPlace(place)) throw new Error(`No place: ${place}`)
        return [place, told as ReadonlyMap<Somebody, Verdict>] as const
      })
    })
  )
}
