import { describe, expect, it } from "vitest"
import { licenseFile, licenseOf } from "#src/projects/repository/licenses.ts"
import { readmeFile } from "#src/projects/repository/readme.ts"

describe("the README", () => {
  it.each<[ReadonlyArray<string>, string | undefined]>([
    [[], undefined],
    [["src", "read.md", "READ ME"], undefined],
    [["README.php", "index.js"], undefined],
    [["README", "readme.md"], "readme.md"],
    [["README.txt", "index.adoc"], "index.adoc"],
    [["README.txt"], "README.txt"],
    [["ReadMe"], "ReadMe"],
    [["README.fr.md", "README.md", "index.md"], "README.md"],
    [["README-DEV.md", "README"], "README-DEV.md"]
  ])("of %j is %s", (names, expected) => {
    expect(readmeFile(names)).toBe(expected)
  })
})

describe("the file with the licence", () => {
  it.each<[ReadonlyArray<string>, string | undefined]>([
    [[], undefined],
    [["licenses", "copy"], undefined],
    [["COPYING", "LICENSE"], "LICENSE"],
    [["COPYING", "COPYING.LESSER"], "COPYING.LESSER"],
    [["LICENSE-MIT", "licence.md"], "licence.md"],
    [["UNLICENSE"], "UNLICENSE"],
    [["LICENSE-APACHE"], "LICENSE-APACHE"],
    [["MIT-LICENSE.txt"], "MIT-LICENSE.txt"]
  ])("of %j is %s", (names, expected) => {
    expect(licenseFile(names)).toBe(expected)
  })
})

const grant = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal in the Software.`
const notice = "The above copyright notice and this permission notice shall be included in all copies or substantial portions."
const redistribution = `Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:`
const gplMention = "As of GNU LESSER GENERAL PUBLIC LICENSE Version 3, 29 June 2007."

describe("the licence", () => {
  it.each([
    ["mit", `MIT License\r\n\r\nCopyright (c) 2024 A\r\n\r\n${grant}\r\n\r\n${notice}`],
    ["other", `MIT No Attribution\n\n${grant}`],
    ["other", `"Commons Clause" License Condition v1.0\n\n${grant}\n${notice}`],
    [
      "isc",
      "ISC License\n\nPermission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above"
    ],
    [
      "isc",
      "Permission to use, copy, modify, and distribute this software for any\npurpose with or without fee is hereby granted, provided that the above"
    ],
    [
      "other",
      "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted."
    ],
    ["bsd-2-clause", `Copyright (c) 2024, A\n${redistribution}\n1. Redistributions`],
    ["bsd-3-clause", `${redistribution}\n3. Neither the name of the copyright holder may be used to endorse or promote`],
    ["other", `${redistribution}\n3. All advertising materials\n4. Neither the name may be used to endorse or promote`],
    ["apache-2.0", `${" ".repeat(33)}Apache License\n${" ".repeat(27)}Version 2.0, January 2004\n`],
    ["apache-2.0", "# Apache License\n\n_Version 2.0, January 2004_"],
    ["gpl-2.0", "GNU GENERAL PUBLIC LICENSE\n   Version 2, June 1991"],
    ["gpl-3.0", `GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n${"x ".repeat(200)}${gplMention}`],
    ["lgpl-2.1", "GNU LESSER GENERAL PUBLIC LICENSE\nVersion 2.1, February 1999"],
    ["lgpl-3.0", "GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007"],
    ["agpl-3.0", "GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3, 19 November 2007"],
    ["mpl-2.0", "Mozilla Public License Version 2.0\n=================================="],
    ["unlicense", "This is free and unencumbered software released into the public domain."],
    ["other", "All rights reserved. This program is not under the GNU General Public License."],
    ["other", ""]
  ])("%s", (key, text) => {
    expect(licenseOf(text).key).toBe(key)
  })

  it("is shown with its name and its text's place", () => {
    expect(licenseOf("GNU GENERAL PUBLIC LICENSE Version 3, 29 June 2007")).toEqual({
      key: "gpl-3.0",
      name: "GNU General Public License v3.0",
      nickname: "GNU GPLv3",
      html_url: "https://choosealicense.com/licenses/gpl-3.0/",
      source_url: "https://www.gnu.org/licenses/gpl-3.0.txt"
    })
    expect(licenseOf("mine")).toEqual({ key: "other", name: "Other", nickname: "LICENSE", html_url: null, source_url: null })
  })
})
