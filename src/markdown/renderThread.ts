import { parentPort } from "node:worker_threads"
import { render } from "./render.ts"

// A text that is made to be slow takes a tenth of a second, which would hold up everything else: hence a thread of its own.
parentPort?.on("message", (text: string) => parentPort?.postMessage(render(text)))
