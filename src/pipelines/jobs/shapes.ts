import { Schema } from "effect"
import { flag, integer, nothing, nullableText, nullableTime, text, time, url } from "../../http/answer/fields.ts"
import { UserProfile } from "../../http/answer/shapes.ts"
import { CommitShape } from "../../repositories/Code.ts"
import { PipelineReference } from "../shapes.ts"
import { Status } from "../status.ts"

const { optionalKey } = Schema

const seconds = (description: string) => Schema.NullOr(Schema.Finite).annotate({ description })

export const Job = Schema.Struct({
  id: integer("ID of the job."),
  status: Status.annotate({ description: "Status of the job." }),
  stage: text("Name of the stage."),
  name: text("Name of the job."),
  ref: text("Branch or tag."),
  tag: flag("Whether `ref` is a tag."),
  coverage: Schema.NullOr(Schema.Finite).annotate({ description: "Percent of the code that tests cover." }),
  allow_failure: flag("Whether the others go on when it fails."),
  created_at: time("When it was made."),
  started_at: nullableTime("When an executor began with it."),
  finished_at: nullableTime("When it ended."),
  erased_at: nothing("Null: nothing is kept that could be erased."),
  duration: seconds("For how many seconds it ran, until now or its end."),
  queued_duration: seconds("For how many seconds it waited for an executor."),
  user: Schema.NullOr(UserProfile).annotate({ description: "As whom it runs; null when that user is deleted." }),
  commit: Schema.NullOr(CommitShape).annotate({ description: "The commit; null when it is gone." }),
  pipeline: PipelineReference.annotateKey({ description: "The pipeline." }),
  failure_reason: optionalKey(text("Why it failed; only there where it did.")),
  web_url: url("Page of the job."),
  project: Schema.Struct({
    ci_job_token_scope_enabled: flag(
      "Whether tokens of jobs reach only chosen projects, as the project says; jobs have no tokens here."
    )
  }).annotate({ description: "Settings of the project for jobs." }),
  artifacts: Schema.Array(Schema.Never).annotate({ description: "Empty: no artifacts are kept." }),
  runner: nothing("Null: executors are known by name alone."),
  artifacts_expire_at: nothing("Null: no artifacts are kept."),
  archived: flag("False."),
  tag_list: Schema.Array(Schema.String).annotate({ description: "What an executor has to offer." })
}).annotate({ identifier: "Job" })

const count = (description: string) => Schema.Literal(0).annotate({ description })

export const TestReport = Schema.Struct({
  total_time: count("Seconds that all tests took."),
  total_count: count("Number of tests."),
  success_count: count("Number of tests that passed."),
  failed_count: count("Number of tests that failed."),
  skipped_count: count("Number of tests that were skipped."),
  error_count: count("Number of tests that broke off."),
  test_suites: Schema.Array(Schema.Never).annotate({ description: "Empty: no reports are kept." })
}).annotate({ identifier: "TestReport" })

export const TestReportSummary = Schema.Struct({
  total: Schema.Struct({
    time: count("Seconds that all tests took."),
    count: count("Number of tests."),
    success: count("Number of tests that passed."),
    failed: count("Number of tests that failed."),
    skipped: count("Number of tests that were skipped."),
    error: count("Number of tests that broke off."),
    suite_error: nullableText("Null: no report is wrong.")
  }).annotate({ description: "All suites together." }),
  test_suites: Schema.Array(Schema.Never).annotate({ description: "Empty: no reports are kept." })
}).annotate({ identifier: "TestReportSummary" })
