import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** Modules keep no state between tests, so files of one worker share them: loading them again is a quarter of the time. */
const shared = { isolate: false, maxWorkers: 3, setupFiles: ["test/support/propertySeed.ts"] }

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    projects: [
      {
        test: { ...shared, name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/**/*.int.test.ts"], testTimeout: 60_000 }
      },
      {
        test: {
          ...shared,
          name: "int",
          include: ["test/**/*.int.test.ts"],
          globalSetup: ["test/support/processes/embeddedPostgres.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } }
        }
      }
    ]
  }
})
