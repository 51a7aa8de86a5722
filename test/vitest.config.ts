import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** Modules keep no state between tests, so files of one worker share them: loading them again is a quarter of the time. */
const shared = {
  isolate: false,
  maxWorkers: 3,
  setupFiles: ["test/support/propertySeed.ts"],
  // Else it is transformed, and then there twice, where the checkout is below a folder that is called `es`.
  server: { deps: { external: [/\/node_modules\//] } }
}

/** What takes longer hangs. Machines whose processors others use, too, take ten times as long as usual now and then. */
const maxMillis = 600_000

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.int.test.ts"],
          testTimeout: maxMillis
        }
      },
      {
        test: {
          ...shared,
          name: "int",
          include: ["test/**/*.int.test.ts"],
          globalSetup: ["test/support/processes/embeddedPostgres.ts"],
          testTimeout: maxMillis,
          hookTimeout: maxMillis,
          expect: { poll: { timeout: maxMillis / 5 } }
        }
      }
    ]
  }
})
