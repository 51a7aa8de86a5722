import { expect, it } from "vitest"
import { likeness } from "#test/support/requests/likeness.ts"

it.each(["1fa8a904", "12345678", "fadecabb", "1fa8a9048f1fe190f783325891c7a3d6a756ba44"])(
  "the id %s of a commit is like any other",
  (id) => {
    expect(likeness({ short_id: id, title: `Revert ${id}` })).toEqual({ short_id: "<digest>", title: "Revert <digest>" })
  }
)
