import * as linguist from "linguist-languages"
import { entriesOf, languageTable } from "./languageTable.ts"

// A program of its own: the 833 modules of the package would take 30 MiB of the service for good, and hold it up while they load.
process.stdout.write(JSON.stringify(entriesOf(languageTable(Object.values(linguist)))))
