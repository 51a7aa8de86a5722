import type { License } from "../shapes.ts"
import { bestName } from "./readme.ts"

/** A licence by its key in the list of SPDX, in lower case. `source`: where its text is. */
interface Known {
  readonly key: string
  readonly name: string
  readonly nickname?: string
  readonly source: string
}

const gnu = (key: string, name: string, nickname: string): Known => ({
  key,
  name: `GNU ${name}`,
  nickname: `GNU ${nickname}`,
  source: `https://www.gnu.org/licenses/${key}.txt`
})

/** The licences by the title that the text begins with, as `plain` writes it. */
const titled: ReadonlyArray<readonly [title: string, known: Known]> = [
  [
    "apache license version 2.0 january 2004",
    { key: "apache-2.0", name: "Apache License 2.0", source: "https://www.apache.org/licenses/LICENSE-2.0.txt" }
  ],
  ["gnu general public license version 2 june 1991", gnu("gpl-2.0", "General Public License v2.0", "GPLv2")],
  ["gnu general public license version 3 29 june 2007", gnu("gpl-3.0", "General Public License v3.0", "GPLv3")],
  [
    "gnu lesser general public license version 2.1 february 1999",
    gnu("lgpl-2.1", "Lesser General Public License v2.1", "LGPLv2.1")
  ],
  ["gnu lesser general public license version 3 29 june 2007", gnu("lgpl-3.0", "Lesser General Public License v3.0", "LGPLv3")],
  [
    "gnu affero general public license version 3 19 november 2007",
    gnu("agpl-3.0", "Affero General Public License v3.0", "AGPLv3")
  ],
  [
    "mozilla public license version 2.0",
    { key: "mpl-2.0", name: "Mozilla Public License 2.0", source: "https://www.mozilla.org/media/MPL/2.0/index.txt" }
  ],
  [
    "this is free and unencumbered software released into the public domain",
    { key: "unlicense", name: "The Unlicense", source: "https://unlicense.org/UNLICENSE" }
  ]
]

const bsd =
  "redistribution and use in source and binary forms with or without modification are permitted provided that the following"
const mitGrant = "permission is hereby granted free of charge to any person obtaining a copy of this software and associated"
const mitNotice = "the above copyright notice and this permission notice shall be included in all copies or substantial portions"
const isc =
  /permission to use copy modify and (?:or )?distribute this software for any purpose with or without fee is hereby granted provided that/

/** The licences that are recognized by a phrase, because they begin with the name of their user. */
const phrased: ReadonlyArray<readonly [says: (text: string) => boolean, known: Known]> = [
  [
    (text) => text.includes(mitGrant) && text.includes(mitNotice),
    { key: "mit", name: "MIT License", source: "https://opensource.org/licenses/MIT" }
  ],
  [(text) => isc.test(text), { key: "isc", name: "ISC License", source: "https://opensource.org/licenses/ISC" }],
  [
    (text) => text.includes(bsd) && text.includes("used to endorse or promote"),
    {
      key: "bsd-3-clause",
      name: 'BSD 3-Clause "New" or "Revised" License',
      source: "https://opensource.org/licenses/BSD-3-Clause"
    }
  ],
  [
    (text) => text.includes(bsd),
    { key: "bsd-2-clause", name: 'BSD 2-Clause "Simplified" License', source: "https://opensource.org/licenses/BSD-2-Clause" }
  ]
]

/** What makes one of the licences above another one. */
const changesTerms = /all advertising materials|commons clause/

/** The title must be within this many words, because some licences mention others further down. */
const maxPreambleLength = 200

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, " ")
    .trim()

const other: License = { key: "other", name: "Other", nickname: "LICENSE", html_url: null, source_url: null }

const present = ({ key, name, nickname, source }: Known): License => ({
  key,
  name,
  nickname: nickname ?? null,
  html_url: `https://choosealicense.com/licenses/${key}/`,
  source_url: source
})

/** The licence that a text is, without regard to letter case, markup and line ends; `other` for any that is not known. */
export const licenseOf = (text: string): License => {
  const words = plain(text)
  if (changesTerms.test(words)) return other
  const start = words.slice(0, maxPreambleLength)
  const known = titled.find(([title]) => start.includes(title)) ?? phrased.find(([says]) => says(words))
  return known === undefined ? other : present(known[1])
}

const extension = String.raw`(?:\.(?:md|markdown|txt|html|rst|adoc))?`

/** The names of files with a licence, the best first. */
const licenseNames = [
  new RegExp(`^(?:un)?licen[sc]e${extension}$`, "i"),
  /^copying\.(?:lesser|lib)$/i,
  new RegExp(`^copying${extension}$`, "i"),
  /^licen[sc]e[-_.][a-z0-9.+-]+$/i,
  new RegExp(`^[a-z0-9.+-]+[-_.]licen[sc]e${extension}$`, "i")
]

/** The file that tells the licence, of the names at the root of a repository; undefined for none. */
export const licenseFile = (names: ReadonlyArray<string>): string | undefined => bestName(licenseNames, names)
