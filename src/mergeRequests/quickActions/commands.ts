import { parseDuration } from "../../kernel/humanDuration.ts"

/** Actions of several names that say as much. */
type Tagged<Tags extends string, Fields = unknown> = Tags extends string ? { readonly _tag: Tags } & Fields : never

interface Named {
  readonly names: ReadonlyArray<string>
}
interface OfPeople {
  readonly usernames: ReadonlyArray<string>
}

/** What takes no argument. */
type PlainAction =
  | "RemoveMilestone"
  | "MarkDraft"
  | "MarkReady"
  | "Close"
  | "Reopen"
  | "Lock"
  | "Unlock"
  | "RemoveEstimate"
  | "RemoveTimeSpent"
/** What is done with a merge request beside changing it: notes alone order it. */
export type NoteOnlyAction = "AddTodo" | "FinishTodo" | "Subscribe" | "Unsubscribe" | "Approve" | "Unapprove" | "Rebase" | "Merge"
type LabelTag = "AddLabels" | "SetLabels" | "RemoveLabels"
type PeopleTag = "Assign" | "Reassign" | "Unassign" | "RequestReview" | "SetReviewers" | "RemoveReviewers"

/**
 * What a line of a text orders. Names of labels, milestones and people are as they are written, without `~`, `%` and `@`; `me` stands for
 * who writes. To remove nobody, or no label, in particular is to remove all.
 */
export type QuickAction =
  | Tagged<LabelTag, Named>
  | Tagged<PeopleTag, OfPeople>
  | Tagged<"SetMilestone" | "SetTitle", { readonly title: string }>
  | { readonly _tag: "SetTargetBranch"; readonly branch: string }
  | { readonly _tag: "SetEstimate"; readonly seconds: number }
  /** Negative seconds subtract. */
  | { readonly _tag: "SpendTime"; readonly seconds: number }
  | Tagged<NoteOnlyAction | PlainAction>

/** Names in one line. */
const maxNames = 50

/** Undefined where the argument means nothing, and `text` where the line is no command. */
type Parse = (argument: string) => QuickAction | "text" | undefined

/** Names behind a mark, in quotes where they have blanks, with blanks, commas or `and` between them. */
const namesIn = (argument: string, mark: string): ReadonlyArray<string> => {
  const words = argument.matchAll(new RegExp(`${mark}?(?:"([^"]*)"|([^\\s,]+))`, "g"))
  const names = [...words].flatMap(([word, quoted, bare = ""]) => {
    const name = quoted ?? bare
    return word === "and" || name === "" || name === mark ? [] : [name]
  })
  return [...new Set(names)].slice(0, maxNames)
}

const labels =
  (_tag: LabelTag): Parse =>
  (argument) => {
    const names = namesIn(argument, "~")
    return names.length > 0 || (_tag === "RemoveLabels" && argument === "") ? { _tag, names } : undefined
  }

const people =
  (_tag: PeopleTag): Parse =>
  (argument) => {
    const usernames = namesIn(argument, "@")
    const isForAll = (_tag === "Unassign" || _tag === "RemoveReviewers") && argument === ""
    return usernames.length > 0 || isForAll ? { _tag, usernames } : undefined
  }

/** With an argument it is a sentence that begins with a slash. */
const plain =
  (_tag: NoteOnlyAction | PlainAction): Parse =>
  (argument) =>
    argument === "" ? { _tag } : "text"

const setMilestone: Parse = (argument) => {
  const title = argument.replace(/^%/, "").replace(/^"(.*)"$/, "$1")
  return title === "" ? undefined : { _tag: "SetMilestone", title }
}

const setTitle: Parse = (title) => (title === "" ? undefined : { _tag: "SetTitle", title })
const setTargetBranch: Parse = (branch) => (branch === "" ? undefined : { _tag: "SetTargetBranch", branch })

const setEstimate: Parse = (argument) => {
  const seconds = parseDuration(argument)
  return seconds === undefined || seconds < 0 ? undefined : { _tag: "SetEstimate", seconds }
}

const isDay = (text: string): boolean => {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Gap: a day may follow on which it was spent, which is told nowhere. */
const spendTime: Parse = (argument) => {
  const [, date] = /(?:^|[ \t])(\d{4}-\d{2}-\d{2})$/.exec(argument) ?? []
  const seconds = parseDuration(date === undefined ? argument : argument.slice(0, -date.length))
  if (seconds === undefined || seconds === 0 || (date !== undefined && !isDay(date))) return undefined
  return { _tag: "SpendTime", seconds }
}

const commands: ReadonlyArray<readonly [names: string, parse: Parse]> = [
  ["label labels", labels("AddLabels")],
  ["unlabel remove_label", labels("RemoveLabels")],
  ["relabel", labels("SetLabels")],
  ["assign", people("Assign")],
  ["unassign remove_assignee", people("Unassign")],
  ["reassign", people("Reassign")],
  ["reviewer assign_reviewer request_review", people("RequestReview")],
  ["unassign_reviewer remove_reviewer", people("RemoveReviewers")],
  ["reassign_reviewer", people("SetReviewers")],
  ["milestone", setMilestone],
  ["remove_milestone", plain("RemoveMilestone")],
  ["title", setTitle],
  ["target_branch", setTargetBranch],
  ["draft", plain("MarkDraft")],
  ["ready", plain("MarkReady")],
  ["close", plain("Close")],
  ["reopen open", plain("Reopen")],
  ["lock", plain("Lock")],
  ["unlock", plain("Unlock")],
  ["estimate estimate_time", setEstimate],
  ["remove_estimate remove_time_estimate", plain("RemoveEstimate")],
  ["spend spent spend_time", spendTime],
  ["remove_time_spent", plain("RemoveTimeSpent")]
]

const ofNotes: ReadonlyArray<readonly [names: string, parse: Parse]> = [
  ["todo", plain("AddTodo")],
  ["done", plain("FinishTodo")],
  ["subscribe", plain("Subscribe")],
  ["unsubscribe", plain("Unsubscribe")],
  ["approve", plain("Approve")],
  ["unapprove", plain("Unapprove")],
  ["rebase", plain("Rebase")],
  ["merge", plain("Merge")]
]

const noteOnly: ReadonlySet<string> = new Set<NoteOnlyAction>([
  ...(["AddTodo", "FinishTodo", "Subscribe", "Unsubscribe"] as const),
  ...(["Approve", "Unapprove", "Rebase", "Merge"] as const)
])

export const isNoteOnly = ({ _tag }: QuickAction): boolean => noteOnly.has(_tag)

/** Reads a line of a text. */
export type ParseAction = (line: string) => ReadonlyArray<QuickAction> | undefined

const parserOf = (known: typeof ofNotes): ParseAction => {
  const parses = new Map(known.flatMap(([names, parse]) => names.split(" ").map((name) => [name, parse] as const)))
  return (line) => {
    const [, name = "", argument = ""] = /^\/([a-z_]+)(?:[ \t](.*))?$/is.exec(line) ?? []
    const parse = parses.get(name.toLowerCase())
    const action = parse === undefined ? "text" : parse(argument.trim())
    if (action === "text") return undefined
    return action === undefined ? [] : [action]
  }
}

/**
 * What a line orders that is a command alone, such as `/label ~bug`: nothing where its argument means nothing. Undefined where it is no
 * known command. Names of commands count in any case.
 */
export const parseAction = parserOf(commands)

/** The same in a note. */
export const parseNoteAction = parserOf([...commands, ...ofNotes])
