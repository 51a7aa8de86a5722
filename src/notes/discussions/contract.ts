import { Schema } from "effect"
import { endpoint } from "../../http/Endpoint.ts"
import { area, body, createdAt, type Kind, mayNot, missing, namedIn, noteId, ordering, unwritable } from "../contract.ts"
import { discussionIdOf } from "../discussionIds.ts"
import { CommandsOnlyNote, Discussion, Note } from "../shapes.ts"

const sha = (description: string) => ({ kind: "string", required: true, description }) as const

export const position = {
  kind: "hash",
  description: "The line of a file that it is about, as a version of the merge request has it. Issues have none.",
  fields: {
    base_sha: sha("Full ID of the merge base of the version."),
    start_sha: sha("Full ID of the last commit of its target branch."),
    head_sha: sha("Full ID of the last commit of its source branch."),
    position_type: { kind: "string", required: true, values: ["text"], description: "Always `text`." },
    new_path: { kind: "string", description: "Path of the file after; the same as before where it is left out." },
    new_line: { kind: "integer", description: "Number of the line after: of one that was added, or stays." },
    old_path: { kind: "string", description: "Path of the file before; the same as after where it is left out." },
    old_line: { kind: "integer", description: "Number of the line before: of one that was removed, or stays." }
  }
} as const

const discussionId = (example: string) =>
  ({ kind: "string", required: true, description: "ID of the discussion, 40 hexadecimal digits.", example }) as const

const resolved = { kind: "boolean", description: "Whether it is resolved." } as const

/** The endpoints of the discussions of a kind of things. */
export const discussionEndpoints = ({ name, path, samples, takesOrders, thing }: Kind) => {
  const named = namedIn({ thing })
  const discussion = { ...named, discussion_id: discussionId(discussionIdOf(samples.thread)) }
  const note = { ...discussion, note_id: noteId(samples.thread) }
  return {
    list: endpoint({
      name: `${name}Discussions.list`,
      area,
      method: "GET",
      path: `${path}/discussions`,
      summary: `List the discussions of a ${thing}`,
      description: "In the order in which they began.",
      access: "anyone",
      parameters: named,
      paginated: true,
      success: { status: 200, body: Schema.Array(Discussion), mayStream: true },
      refusals: missing
    }),
    read: endpoint({
      name: `${name}Discussions.read`,
      area,
      method: "GET",
      path: `${path}/discussions/:discussion_id`,
      summary: `Read a discussion of a ${thing}`,
      access: "anyone",
      parameters: discussion,
      success: { status: 200, body: Discussion, mayStream: true },
      refusals: missing
    }),
    create: endpoint({
      name: `${name}Discussions.create`,
      area,
      method: "POST",
      path: `${path}/discussions`,
      summary: `Begin a discussion of a ${thing}`,
      description: `It is a thread; those about merge requests can be resolved.${takesOrders ? ordering : ""}`,
      access: "user",
      takesContent: true,
      parameters: { ...named, body, created_at: createdAt, position },
      success: { status: 201, body: Discussion, mayStream: true },
      otherSuccesses: takesOrders ? [{ status: 202, body: CommandsOnlyNote }] : [],
      refusals: { ...unwritable, 400: "The text is blank or too long, or there is no such line." }
    }),
    listNotes: endpoint({
      name: `${name}Discussions.notes`,
      area,
      method: "GET",
      path: `${path}/discussions/:discussion_id/notes`,
      summary: `List the notes of a discussion of a ${thing}`,
      access: "anyone",
      parameters: discussion,
      success: { status: 200, body: Schema.Array(Note), mayStream: true },
      refusals: missing
    }),
    readNote: endpoint({
      name: `${name}Discussions.note`,
      area,
      method: "GET",
      path: `${path}/discussions/:discussion_id/notes/:note_id`,
      summary: `Read a note of a discussion of a ${thing}`,
      access: "anyone",
      parameters: note,
      success: { status: 200, body: Note },
      refusals: missing
    }),
    reply: endpoint({
      name: `${name}Discussions.reply`,
      area,
      method: "POST",
      path: `${path}/discussions/:discussion_id/notes`,
      summary: `Reply in a discussion of a ${thing}`,
      description: `A note that stood alone becomes the first of a thread.${takesOrders ? ordering : ""}`,
      access: "user",
      takesContent: true,
      parameters: { ...discussion, body, created_at: createdAt },
      success: { status: 201, body: Note },
      otherSuccesses: takesOrders ? [{ status: 202, body: CommandsOnlyNote }] : [],
      refusals: { ...unwritable, 400: "The text is blank or too long, or the service wrote the note." }
    }),
    changeNote: endpoint({
      name: `${name}Discussions.changeNote`,
      area,
      method: "PUT",
      path: `${path}/discussions/:discussion_id/notes/:note_id`,
      summary: `Change or resolve a note of a discussion of a ${thing}`,
      access: "user",
      takesContent: true,
      parameters: { ...note, body: { ...body, required: false }, resolved },
      groups: [{ rule: "exactlyOneOf", names: ["body", "resolved"] }],
      success: { status: 200, body: Note },
      refusals: unwritable
    }),
    removeNote: endpoint({
      name: `${name}Discussions.deleteNote`,
      area,
      method: "DELETE",
      path: `${path}/discussions/:discussion_id/notes/:note_id`,
      summary: `Delete a note of a discussion of a ${thing}`,
      access: "user",
      parameters: note,
      success: { status: 204 },
      refusals: { ...mayNot, 412: "It was changed after `If-Unmodified-Since`." }
    })
  }
}

/** The endpoint that resolves discussions of a kind of things. */
export const resolvingEndpoint = ({ name, path, samples, thing }: Kind) => {
  const discussion = { ...namedIn({ thing }), discussion_id: discussionId(discussionIdOf(samples.thread)) }
  return endpoint({
    name: `${name}Discussions.resolve`,
    area,
    method: "PUT",
    path: `${path}/discussions/:discussion_id`,
    summary: `Resolve a discussion of a ${thing}, or take that back`,
    access: "user",
    parameters: { ...discussion, resolved: { ...resolved, required: true, example: true } },
    success: { status: 200, body: Discussion, mayStream: true },
    refusals: mayNot
  })
}
