import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../../config.ts"
import type { BranchProtectionDefaults } from "../../groups/events.ts"
import { Groups, protectionOf } from "../../groups/Groups.ts"
import { accessLevel } from "../../members/levels.ts"

/** How the default branches of new repositories are protected. */
export class DefaultProtections extends Context.Service<
  DefaultProtections,
  {
    /** The protection that the group sets, else that of the instance's setting. */
    readonly in: (namespaceId: number) => Effect.Effect<BranchProtectionDefaults>
  }
>()("chronoforge/projects/DefaultProtections") {
  static readonly layer: Layer.Layer<DefaultProtections, never, AppConfig | Groups> = Layer.effect(
    DefaultProtections,
    Effect.gen(function* () {
      const [{ defaultBranchProtection }, groups] = [yield* AppConfig, yield* Groups]
      const ofInstance = protectionOf(defaultBranchProtection)
      return DefaultProtections.of({
        in: (namespaceId) =>
          Effect.map(
            groups.find(String(namespaceId), undefined),
            (found) =>
              (found?.namespace.kind === "group" ? found.namespace.default_branch_protection_defaults : null) ?? ofInstance
          )
      })
    })
  )
}

/** Whether they keep anybody who may push at all from anything. */
export const isProtecting = ({ allowForcePush, allowedToMerge, allowedToPush }: BranchProtectionDefaults): boolean =>
  !(allowForcePush && [allowedToMerge, allowedToPush].every((levels) => levels.includes(accessLevel.developer)))

/** Whether Developers may make the first branch. */
export const allowsDeveloperInitialPush = ({ allowedToPush, developerCanInitialPush }: BranchProtectionDefaults): boolean =>
  developerCanInitialPush || allowedToPush.includes(accessLevel.developer)
