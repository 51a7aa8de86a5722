import type { Repository } from "../Repository.ts"

const quoted = (path: string) => `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`

/** The environment in which `git` also finds the objects of other repositories, such as those of a fork. It writes only to its own. */
export const alternates = (others: ReadonlyArray<Repository>): Readonly<Record<string, string>> =>
  others.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: others.map(({ path }) => quoted(`${path}/objects`)).join(":") }
