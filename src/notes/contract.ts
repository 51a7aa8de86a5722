import { Schema } from "effect"
import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { CommandsOnlyNote, Note } from "./shapes.ts"

export const area = "notes"

/** A kind of things that have notes. */
export interface Kind {
  /** Where one of them is, such as `/projects/:id/merge_requests/:noteable_id`. */
  readonly path: `/${string}`
  /** What begins the names of its endpoints. */
  readonly name: string
  /** What one of them is called. */
  readonly thing: string
  /** Whether its notes order something by quick actions. */
  readonly takesOrders: boolean
  /** The ids of a note, of the first note of a thread, and of an award, which the document gives as examples. */
  readonly samples: { readonly note: number; readonly thread: number; readonly award: number }
}

export const mergeRequestNotes = {
  path: "/projects/:id/merge_requests/:noteable_id",
  name: "mergeRequest",
  thing: "merge request",
  takesOrders: true,
  samples: { note: 1, thread: 3, award: 3 }
} as const satisfies Kind

export const issueNotes = {
  path: "/projects/:id/issues/:noteable_id",
  name: "issue",
  thing: "issue",
  takesOrders: false,
  samples: { note: 7, thread: 9, award: 4 }
} as const satisfies Kind

/** The parameters that name a thing with notes. */
export const namedIn = ({ thing }: Pick<Kind, "thing">) =>
  ({
    id: projectId,
    noteable_id: { kind: "integer", required: true, description: `Number of the ${thing} in its project.`, example: 1 }
  }) as const

export const noteId = (example: number) => ({ kind: "integer", required: true, description: "ID of the note.", example }) as const
export const body = {
  kind: "string",
  required: true,
  description: "The text as Markdown, at most 1,000,000 characters.",
  example: "Looks good."
} as const
export const createdAt = {
  kind: "dateTime",
  description: "When it was written; what others than Owners and administrators say of that is ignored."
} as const
export const missing = { 404: "No such note, or nothing that has notes." }
export const mayNot = { ...missing, 403: "The caller may not do this." }
export const unwritable = { ...mayNot, 400: "The text is blank or too long." }

export const ordering =
  " Lines such as `/close` or `/label ~bug` are quick actions: they are done, and left out of the text. What only orders is no note, and is answered with 202."

/** The endpoints of the notes of a kind of things. */
export const noteEndpoints = ({ name, path, samples, takesOrders, thing }: Kind) => {
  const named = namedIn({ thing })
  const note = { ...named, note_id: noteId(samples.note) }
  return {
    list: endpoint({
      name: `${name}Notes.list`,
      area,
      method: "GET",
      path: `${path}/notes`,
      summary: `List the notes of a ${thing}`,
      access: "anyone",
      parameters: {
        ...named,
        order_by: {
          kind: "string",
          values: ["created_at", "updated_at"],
          default: "created_at",
          description: "By when they were written or changed."
        },
        sort: { kind: "string", values: ["asc", "desc"], default: "desc", description: "The oldest or the newest first." },
        activity_filter: {
          kind: "string",
          values: ["all_notes", "only_comments", "only_activity"],
          default: "all_notes",
          description: "Only those of people, or only those of the service."
        }
      },
      paginated: true,
      success: { status: 200, body: Schema.Array(Note), mayStream: true },
      refusals: missing
    }),
    read: endpoint({
      name: `${name}Notes.read`,
      area,
      method: "GET",
      path: `${path}/notes/:note_id`,
      summary: `Read a note of a ${thing}`,
      access: "anyone",
      parameters: note,
      success: { status: 200, body: Note },
      refusals: missing
    }),
    create: endpoint({
      name: `${name}Notes.create`,
      area,
      method: "POST",
      path: `${path}/notes`,
      summary: `Write a note about a ${thing}`,
      description: `It stands alone until somebody replies to it.${takesOrders ? ordering : ""}`,
      access: "user",
      takesContent: true,
      parameters: {
        ...named,
        body,
        internal: { kind: "boolean", description: "Whether it is for Reporters and above alone." },
        confidential: { kind: "boolean", deprecated: true, description: "Former name of `internal`." },
        created_at: createdAt
      },
      success: { status: 201, body: Note },
      otherSuccesses: takesOrders ? [{ status: 202, body: CommandsOnlyNote }] : [],
      refusals: unwritable
    }),
    change: endpoint({
      name: `${name}Notes.change`,
      area,
      method: "PUT",
      path: `${path}/notes/:note_id`,
      summary: `Change a note of a ${thing}`,
      access: "user",
      takesContent: true,
      parameters: { ...note, body: { ...body, required: false, allowBlank: false, example: "Looks better." } },
      success: { status: 200, body: Note },
      refusals: unwritable
    }),
    remove: endpoint({
      name: `${name}Notes.delete`,
      area,
      method: "DELETE",
      path: `${path}/notes/:note_id`,
      summary: `Delete a note of a ${thing}`,
      access: "user",
      parameters: note,
      success: { status: 204 },
      refusals: { ...mayNot, 412: "It was changed after `If-Unmodified-Since`." }
    })
  }
}
