import type { Target } from "./Attack.ts"
import { answers } from "./callers.ts"
import { attacks, isAttack } from "./list.ts"

const [name = "", text = ""] = process.argv.slice(2)
if (!isAttack(name)) throw new Error(`There is no attack ${name}`)
const target: Target = JSON.parse(text)

/** The attacker has the same machine, of which it must not take the memory. */
const maxBytes = 1024 ** 3
setInterval(() => {
  if (process.memoryUsage.rss() > maxBytes) throw new Error("The attacker takes too much memory itself")
}, 500)

const attack = await attacks[name].prepare(target)
/** The first message begins the attack, the second asks how it was answered. */
process.once("message", () => {
  process.once("message", () => process.send?.(answers()))
  void attack()
})
process.on("disconnect", () => process.exit())
process.send?.("ready")
