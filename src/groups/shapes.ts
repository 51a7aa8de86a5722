import { Schema } from "effect"
import {
  flag,
  integer,
  literal,
  nothing,
  nullableFlag,
  nullableInteger,
  nullableText,
  text,
  time,
  url
} from "../http/answer/fields.ts"
import { storageSizes } from "../http/answer/storageSizes.ts"
import { JsonObject } from "../http/answer/success.ts"
import { Visibility } from "../kernel/visibility.ts"
import { SharedWith } from "../members/contract.ts"
import { ProjectCreationLevel, SharedRunnersSetting, SubgroupCreationLevel } from "./events.ts"

const AccessLevels = Schema.Array(
  Schema.Struct({
    access_level: integer("Least role: 0 for nobody, 30 for Developers, 40 for Maintainers, 60 for administrators.")
  })
)

const groupFields = {
  id: integer("ID of the group."),
  web_url: url("Page of the group."),
  name: text("Name of the group."),
  path: text("Last segment of the path."),
  description: text("What the group is for."),
  visibility: Visibility.annotate({ description: "Who may see the group." }),
  share_with_group_lock: flag("Whether projects of the group cannot be shared with other groups."),
  require_two_factor_authentication: flag("As it was set; there is no two-factor authentication."),
  two_factor_grace_period: integer("Hours until members would need two-factor authentication."),
  project_creation_level: ProjectCreationLevel.annotate({ description: "Least role of who may create projects in the group." }),
  auto_devops_enabled: nullableFlag("Whether projects have pipelines without a configuration; null where that is not set."),
  subgroup_creation_level: SubgroupCreationLevel.annotate({ description: "Least role of who may create groups in the group." }),
  emails_disabled: flag("The opposite of `emails_enabled`."),
  emails_enabled: flag("Whether mail is sent."),
  mentions_disabled: nullableFlag("Whether mentions of the group tell nobody; null where that is not set."),
  lfs_enabled: literal(false, "False: LFS is not served."),
  math_rendering_limits_enabled: flag("Whether formulas are limited in size."),
  lock_math_rendering_limits_enabled: flag("Whether groups below cannot change that limit."),
  default_branch: nullableText("Name of the default branch of new projects; null where that is not set."),
  default_branch_protection: integer(
    "A usual combination of `default_branch_protection_defaults`: 0 for none, 1 for partial, 2 for full, 3 against pushes, 4 for full after the first push."
  ),
  default_branch_protection_defaults: Schema.Struct({
    allowed_to_push: AccessLevels.annotate({ description: "Levels of who may push." }),
    allow_force_push: flag("Whether those who may push may also replace commits."),
    allowed_to_merge: AccessLevels.annotate({ description: "Levels of who may merge." }),
    developer_can_initial_push: flag("Whether Developers may push to a repository that is empty.")
  }).annotate({ description: "How the default branch of new projects is protected." }),
  avatar_url: nullableText("Null: groups have no pictures."),
  request_access_enabled: flag("Whether users may ask for access."),
  full_name: text("Name with those of all groups above, such as `A / B`."),
  full_path: text("Path with those of all groups above, such as `a/b`."),
  created_at: time("When the group was created."),
  parent_id: nullableInteger("ID of the group above; null at the top level."),
  organization_id: integer("1: there is one organization."),
  shared_runners_setting: SharedRunnersSetting.annotate({
    description: "Whether projects use runners of the instance, and whether groups below may change that."
  })
}

/** The statistics of the projects directly in a group. */
const Statistics = Schema.Struct(storageSizes).annotate({ identifier: "GroupStatistics" })

/** A group as lists show it; administrators may ask for its statistics. */
export const GroupShape = Schema.Struct({
  ...groupFields,
  statistics: Schema.optionalKey(Statistics).annotateKey({ description: "What projects directly in the group take." })
}).annotate({
  identifier: "Group"
})

/** One group. Only its owners see the token of runners, which is null: there are none. */
export const GroupDetails = Schema.Struct({
  ...groupFields,
  shared_with_groups: Schema.Array(SharedWith).annotate({ description: "Groups with which the group is shared." }),
  runners_token: Schema.optionalKey(nothing("Null: there are no runners. Only for owners.")),
  prevent_sharing_groups_outside_hierarchy: Schema.optionalKey(
    flag("Whether the group and those below it are shared only with each other. Only at the top level.")
  ),
  projects: Schema.optionalKey(
    Schema.Array(JsonObject).annotate({ description: "At most 100 projects that are directly in the group." })
  ),
  shared_projects: Schema.optionalKey(
    Schema.Array(JsonObject).annotate({ description: "At most 100 projects that are shared with the group." })
  )
}).annotate({ identifier: "GroupDetails" })
