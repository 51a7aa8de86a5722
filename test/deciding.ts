/**
 * What decides in an area. It may import what decides, and what is pure, and so may that: nothing of it leads to what can wait. Of packages it
 * knows `effect`, and what is pure those that are named beside it, which only compute.
 */
export const deciding: {
  readonly files: ReadonlyArray<string>
  readonly pure: Readonly<Record<string, ReadonlyArray<string>>>
} = {
  files: [
    "aggregate.ts",
    "approvalFaults.ts",
    "commands.ts",
    "decide*.ts",
    "errors.ts",
    "events.ts",
    "faults.ts",
    "ids.ts",
    "protectionFaults.ts",
    "state.ts"
  ],
  pure: {
    "src/kernel": ["node:crypto", "node:net"],
    "src/platform/Aggregate.ts": [],
    "src/platform/eventStore/codec.ts": [],
    "src/platform/eventStore/secretTexts.ts": [],
    "src/git/refs/refNames.ts": [],
    "src/members/levels.ts": [],
    "src/members/rules.ts": [],
    "src/members/shares.ts": [],
    "src/users/profile.ts": [],
    "src/users/passwords/isCommonPassword.ts": [],
    "src/users/username.ts": [],
    "src/projects/settings/settings.ts": [],
    "src/keys/sshBlob.ts": [],
    "src/keys/sshPublicKey.ts": ["node:crypto"],
    "src/pipelines/processing.ts": [],
    "src/pipelines/status.ts": [],
    "src/schedules/cron": ["croner", "lru-cache"],
    "src/schedules/timing.ts": ["lru-cache"],
    "src/parents/Parent.ts": [],
    "src/exports/relations.ts": [],
    "src/issuables/textFaults.ts": [],
    "src/labels/color.ts": [],
    "src/labels/cssColors.ts": [],
    "src/mergeRequests/decisions/approvals.ts": [],
    "src/mergeRequests/decisions/labeling.ts": [],
    "src/mergeRequests/text/drafts.ts": []
  }
}
