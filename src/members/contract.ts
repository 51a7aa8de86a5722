import { Schema } from "effect"
import { integer, literal, nullableDay, text, time } from "../http/answer/fields.ts"
import { UserReference } from "../http/answer/shapes.ts"
import type { Shape } from "../http/answer/success.ts"
import { endpoint } from "../http/Endpoint.ts"
import { projectLevels } from "./levels.ts"

/** A member of a group or project. */
export const Member = Schema.Struct({
  ...UserReference.fields,
  access_level: integer("Level of access: 5 minimal, 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner."),
  created_at: time("When the membership began."),
  created_by: Schema.optionalKey(Schema.NullOr(UserReference)).annotateKey({
    description: "Who added the member; `null` where that is hidden, because it was in a private group that is invited."
  }),
  expires_at: nullableDay("The day with whose beginning the membership ends."),
  membership_state: literal("active", "Always `active`.")
}).annotate({ identifier: "Member" })

/** A group with which a group or project is shared. */
export const SharedWith = Schema.Struct({
  group_id: integer("ID of the group."),
  group_name: text("Name of the group."),
  group_full_path: text("Full path of the group."),
  group_access_level: integer("The highest level of access that its members get."),
  expires_at: nullableDay("The day with whose beginning the share ends.")
}).annotate({ identifier: "SharedWithGroup" })

/** What an addition answers that names several users and adds all of them. */
const ManyAdded = Schema.Struct({ status: literal("success", "All were added.") }).annotate({ identifier: "ManyMembersAdded" })

/** Why it added nobody, or by users why it did not add them. */
const NotAllAdded = Schema.Struct({
  status: literal("error", "Not all were added."),
  message: Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.String)]).annotate({
    description: "Why nobody was added, or why not by user name or ID."
  })
}).annotate({ identifier: "NotAllMembersAdded" })

const things = { groups: "group", projects: "project" } as const
const examples = { groups: "example-group", projects: "1" } as const
const accessLevels = "Level of access: 10 for Guests, 20 for Reporters, 30 for Developers, 40 for Maintainers, 50 for Owners."

/** The endpoints of the members of groups or of projects: `groups.listMembers` and so on. */
export const memberEndpoints = (area: keyof typeof things) => {
  const thing = things[area]
  const base = `/${area}/:id/members` as const
  const access = "user"
  const id = { kind: "string", required: true, description: `ID or full path of the ${thing}.`, example: examples[area] } as const
  const userId = { kind: "integer", required: true, description: "ID of the user.", example: 2 } as const
  const accessLevel = { kind: "integer", required: true, description: accessLevels, example: 30 } as const
  const expiresAt = { kind: "date", description: "The day with whose beginning the membership ends." } as const
  const patterns = { user_id: /\d+/ }
  const filters = {
    id,
    query: { kind: "string", description: "Part of name or user name." },
    user_ids: { kind: "integerList", description: "Only these users." },
    skip_users: { kind: "integerList", description: "Not these users." },
    show_seat_info: { kind: "boolean", description: "No effect: there are no seats." }
  } as const
  const missing = { 404: `No such ${thing} or member.` }
  const noRight = { ...missing, 403: "No right to manage the members, or to give this level." }
  return {
    list: endpoint({
      name: `${area}.listMembers`,
      area,
      method: "GET",
      path: base,
      summary: `List the members of a ${thing}`,
      access,
      parameters: filters,
      paginated: true,
      success: { status: 200, body: Schema.Array(Member) },
      refusals: missing
    }),
    listAll: endpoint({
      name: `${area}.listAllMembers`,
      area,
      method: "GET",
      path: `${base}/all`,
      summary: `List the members of a ${thing}, inherited ones included`,
      access,
      parameters: {
        ...filters,
        state: {
          kind: "string",
          values: ["awaiting", "active"],
          description: "Only members of this state. Nobody is awaiting."
        }
      },
      paginated: true,
      success: { status: 200, body: Schema.Array(Member) },
      refusals: missing
    }),
    read: endpoint({
      name: `${area}.readMember`,
      area,
      method: "GET",
      path: `${base}/:user_id`,
      patterns,
      summary: `Read a member of a ${thing}`,
      access,
      parameters: { id, user_id: userId },
      success: { status: 200, body: Member },
      refusals: missing
    }),
    readAny: endpoint({
      name: `${area}.readAnyMember`,
      area,
      method: "GET",
      path: `${base}/all/:user_id`,
      patterns,
      summary: `Read a member of a ${thing}, an inherited one too`,
      access,
      parameters: { id, user_id: userId },
      success: { status: 200, body: Member },
      refusals: missing
    }),
    add: endpoint({
      name: `${area}.addMember`,
      area,
      method: "POST",
      path: base,
      summary: `Add a member to a ${thing}`,
      access,
      parameters: {
        id,
        access_level: accessLevel,
        user_id: { kind: "string", description: "ID of the user, or at most 100 with commas.", example: "2" },
        username: { kind: "string", description: "Name of the user, or at most 100 with commas." },
        expires_at: expiresAt
      },
      groups: [
        { rule: "mutuallyExclusive", names: ["user_id", "username"] },
        { rule: "atLeastOneOf", names: ["user_id", "username"] }
      ],
      success: { status: 201, body: Schema.Union([Member, ManyAdded, NotAllAdded]) },
      refusals: { ...noRight, 400: "Not a level, or a date in the past.", 409: "The user is a member." }
    }),
    change: endpoint({
      name: `${area}.changeMember`,
      area,
      method: "PUT",
      path: `${base}/:user_id`,
      patterns,
      summary: `Change the level of a member of a ${thing}`,
      access,
      parameters: { id, user_id: userId, access_level: accessLevel, expires_at: expiresAt },
      success: { status: 200, body: Member },
      refusals: { ...noRight, 400: "Not a level, or a date in the past." }
    }),
    remove: endpoint({
      name: `${area}.removeMember`,
      area,
      method: "DELETE",
      path: `${base}/:user_id`,
      patterns,
      summary: `Remove a member from a ${thing}`,
      description: "Members may remove themselves.",
      access,
      parameters: {
        id,
        user_id: userId,
        skip_subresources: { kind: "boolean", default: false, description: "Whether memberships in what lies below stay." },
        unassign_issuables: {
          kind: "boolean",
          default: false,
          description: "No effect: there are no issues or merge requests to be assigned."
        }
      },
      success: { status: 204 },
      refusals: { ...noRight, 412: "The membership was changed after `If-Unmodified-Since`." }
    })
  }
}

/** The endpoints that share groups or projects with groups: `groups.share` and so on. `shared` is what sharing answers. */
export const shareEndpoints = <S extends Shape>(area: keyof typeof things, shared: S) => {
  const thing = things[area]
  const id = { kind: "string", required: true, description: `ID or full path of the ${thing}.`, example: examples[area] } as const
  return {
    share: endpoint({
      name: `${area}.share`,
      area,
      method: "POST",
      path: `/${area}/:id/share`,
      summary: `Share a ${thing} with a group`,
      description: `The members of the group, inherited ones too, have their level in the ${thing}, but not more than \`group_access\`.`,
      access: "user",
      parameters: {
        id,
        group_id: { kind: "integer", required: true, description: "ID of the group that is invited.", example: 4 },
        group_access: {
          kind: "integer",
          required: true,
          values: projectLevels,
          description: `${accessLevels} No member of the group gets more.`,
          example: 30
        },
        expires_at: { kind: "date", description: "The day with whose beginning the share ends." }
      },
      success: { status: 201, body: shared },
      refusals: {
        400: "A date in the past.",
        404: "No such group, or it may not be invited.",
        409: "It is shared with the group."
      }
    }),
    unshare: endpoint({
      name: `${area}.unshare`,
      area,
      method: "DELETE",
      path: `/${area}/:id/share/:group_id`,
      summary: `End the sharing of a ${thing} with a group`,
      access: "user",
      parameters: {
        id,
        group_id: { kind: "integer", required: true, description: "ID of the group that is invited.", example: 4 }
      },
      success: { status: 204 },
      refusals: { 403: `No right to manage the ${thing}.`, 404: `No such ${thing}, or it is not shared with the group.` }
    })
  }
}

export type MemberEndpoints = ReturnType<typeof memberEndpoints>
