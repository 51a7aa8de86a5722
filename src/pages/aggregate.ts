import { Data, Equal, Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { type Deployment, PagesEvent, type PagesSettings, pagesCodec } from "./events.ts"
import { pagesStream } from "./ids.ts"

/** The pages of a project. */
export interface State {
  readonly settings: PagesSettings
  /** What is published, by prefixes that differ. */
  readonly deployments: ReadonlyArray<Deployment>
}

const initial: State = { settings: { uniqueDomainEnabled: null, httpsOnly: null, uniqueDomain: null }, deployments: [] }

/** So many deployments a project has at once. */
export const maxDeployments = 100

/** Absent settings stay as they are. */
export interface Change {
  readonly _tag: "Change"
  readonly uniqueDomainEnabled?: boolean
  readonly httpsOnly?: boolean
  /** The first label of the unique domain, if the project needs one and has none. */
  readonly newDomain: string
}

export interface Deploy {
  readonly _tag: "Deploy"
  readonly deployment: Deployment
  readonly by: number
  /** As for `Change`: the first deployment switches the unique domain on, unless somebody has set it. */
  readonly newDomain: string
}

export interface Unpublish {
  readonly _tag: "Unpublish"
  readonly by: number
}

export type Command = Change | Deploy | Unpublish

/** The project has as many deployments as it may have. */
export class TooManyDeployments extends Data.TaggedError("TooManyDeployments") {}

type Decision = Result.Result<ReadonlyArray<PagesEvent>, TooManyDeployments>

const { cases } = PagesEvent

const changed = (before: PagesSettings, wanted: Partial<PagesSettings>, newDomain: string): ReadonlyArray<PagesEvent> => {
  const uniqueDomain = before.uniqueDomain ?? (wanted.uniqueDomainEnabled === true ? newDomain : null)
  const settings = { ...before, ...wanted, uniqueDomain }
  return Equal.equals(settings, before) ? [] : [cases.PagesSettingsChanged.make({ settings })]
}

const change = ({ _tag, newDomain, ...wanted }: Change, { settings }: State): Decision =>
  Result.succeed(changed(settings, wanted, newDomain))

const deploy = ({ by, deployment, newDomain }: Deploy, { deployments, settings }: State): Decision => {
  if (deployments.some(({ site }) => site === deployment.site)) return Result.succeed([])
  const replaced = deployments.find(({ pathPrefix }) => pathPrefix === deployment.pathPrefix)?.site ?? null
  if (replaced === null && deployments.length >= maxDeployments) return Result.fail(new TooManyDeployments())
  const uniqueDomainEnabled = settings.uniqueDomainEnabled ?? true
  return Result.succeed([
    ...changed(settings, { uniqueDomainEnabled }, newDomain),
    cases.PagesDeployed.make({ deployment, by, replaced })
  ])
}

const unpublish = ({ by }: Unpublish, { deployments }: State): Decision =>
  Result.succeed(
    deployments.length === 0 ? [] : [cases.PagesUnpublished.make({ by, sites: deployments.map(({ site }) => site) })]
  )

const decide = (command: Command, state: State): Decision => {
  switch (command._tag) {
    case "Change":
      return change(command, state)
    case "Deploy":
      return deploy(command, state)
    case "Unpublish":
      return unpublish(command, state)
  }
}

const evolve = (state: State, event: PagesEvent): State =>
  PagesEvent.match(event, {
    PagesSettingsChanged: ({ settings }) => ({ ...state, settings }),
    PagesDeployed: ({ deployment }) => ({
      ...state,
      deployments: [...state.deployments.filter(({ pathPrefix }) => pathPrefix !== deployment.pathPrefix), deployment]
    }),
    PagesUnpublished: () => ({ ...state, deployments: [] })
  })

/** The pages of a project by its id: they are there as soon as it is. */
export const pagesAggregate: Aggregate<number, Command, State, PagesEvent, TooManyDeployments> = {
  initial,
  decide,
  evolve,
  codec: pagesCodec,
  stream: pagesStream
}
