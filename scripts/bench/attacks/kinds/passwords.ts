import type { Attack } from "../Attack.ts"
import { basic, call, callers, repositoryUrl } from "../callers.ts"

/** All come from one address. */
const onlyCaller = 0

const wrongPasswords: Attack = {
  title: "120 wrong passwords at a time over git",
  showsPassword: true,
  prepare: async (target) => {
    const url = `${repositoryUrl(target, target.pushes)}/info/refs?service=git-upload-pack`
    const names = ["root", target.attacker.username, "nobody-of-this-name"]
    return () =>
      callers(120, (guesser, index) => {
        const username = names[guesser % names.length] ?? ""
        const authorization = basic({ ...target.attacker, username }, `wrong password ${guesser} ${index}`)
        return call(onlyCaller, { url, headers: { authorization } })
      })
  }
}

export const passwords = { wrongPasswords }
