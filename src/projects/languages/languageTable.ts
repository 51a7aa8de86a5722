import { defined } from "../../kernel/defined.ts"

/** What linguist, which the reference counts languages with, knows of one. */
export interface LinguistLanguage {
  readonly name: string
  readonly type: "data" | "markup" | "programming" | "prose"
  /** The extensions with their dots, the most usual first, including those of several parts such as `.blade.php`. */
  readonly extensions?: ReadonlyArray<string>
  /** The names of files that have no extension, or another language than that of their extension. */
  readonly filenames?: ReadonlyArray<string>
  /** The language that it is counted as. */
  readonly group?: string
}

/** A language that an ending may stand for, with other endings that are found beside it. */
export interface Candidate {
  readonly language: string
  readonly beside: ReadonlyArray<string>
}

/** An ending of several languages: that one counts of which most is beside it. */
export interface Ambiguity {
  readonly candidates: ReadonlyArray<Candidate>
  /** The language when no neighbour decides; without it, such a file does not count. */
  readonly fallback?: string
}

/** Languages by whole names of files and by endings, these in lower case; null for what does not count: data and prose. */
export interface LanguageTable {
  readonly byName: ReadonlyMap<string, string | null>
  readonly byEnding: ReadonlyMap<string, string | null>
  readonly ambiguous: ReadonlyMap<string, Ambiguity>
}

/** A table as JSON. */
export interface LanguageEntries {
  readonly byName: ReadonlyArray<readonly [string, string | null]>
  readonly byEnding: ReadonlyArray<readonly [string, string | null]>
  readonly ambiguous: ReadonlyArray<readonly [string, Ambiguity]>
}

export const entriesOf = ({ ambiguous, byEnding, byName }: LanguageTable): LanguageEntries => ({
  byName: [...byName],
  byEnding: [...byEnding],
  ambiguous: [...ambiguous]
})

export const tableOf = ({ ambiguous, byEnding, byName }: LanguageEntries): LanguageTable => ({
  byName: new Map(byName),
  byEnding: new Map(byEnding),
  ambiguous: new Map(ambiguous)
})

/** What an ending means that linguist tells by the contents of a file, of which only the name is looked at here. */
const preferred: Readonly<Record<string, string>> = {
  ActionScript: "as",
  AL: "al",
  Apex: "trigger",
  BASIC: "bas",
  "C#": "cake cs",
  "C++": "hh",
  "Common Lisp": "lisp lsp",
  CUE: "cue",
  D: "d",
  Elixir: "ex",
  Fortran: "f for",
  FreeMarker: "ftl",
  GDScript: "gd",
  GLSL: "frag",
  HLSL: "fx",
  JavaScript: "gs",
  jq: "jq",
  Lex: "l",
  LiveScript: "ls",
  Nushell: "nu",
  OCaml: "ml",
  Odin: "odin",
  Perl: "pm t",
  PHP: "php",
  Pkl: "pkl",
  Prolog: "plt",
  R: "r",
  Reason: "re",
  Rust: "rs",
  Scala: "sc",
  Scheme: "scm",
  ShaderLab: "shader",
  Smalltalk: "st",
  Smarty: "tpl",
  Starlark: "star",
  VBA: "frm"
}

/** The candidates when neighbours decide; the first one is the default. */
const neighbours: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cl: { C: "c cc cpp", "Common Lisp": "asd lisp" },
  cls: { TeX: "sty tex", Apex: "apex trigger", VBA: "bas frm" },
  fs: { "F#": "fsi fsproj fsx", GLSL: "frag glsl vert vs", Forth: "4th fth" },
  h: { C: "c", "C++": "cc cpp cxx hh hpp hxx", "Objective-C": "m mm" },
  m: { MATLAB: "mat mlx", "Objective-C": "h mm pbxproj storyboard xib" },
  pl: { Perl: "pm t", Prolog: "plt prolog" },
  pp: { Puppet: "epp", Pascal: "dpr lpr pas" },
  v: { Verilog: "sv svh vh", "Rocq Prover": "vo", V: "mod vsh" }
}

const words = (text: string): ReadonlyArray<string> => text.split(" ")

const byNeighbours: ReadonlyMap<string, Ambiguity> = new Map(
  Object.entries(neighbours).map(([ending, languages]) => {
    const candidates = Object.entries(languages).map(([language, beside]) => ({ language, beside: words(beside) }))
    return [ending, { candidates, ...defined({ fallback: candidates[0]?.language }) }]
  })
)

/** The language under which it counts; null when it does not count. */
const countedAs = ({ group, name, type }: LinguistLanguage): string | null =>
  type === "programming" || type === "markup" ? (group ?? name) : null

const endingsOf = ({ extensions = [] }: LinguistLanguage) => extensions.map((extension) => extension.slice(1).toLowerCase())

const append = <Value>(lists: Map<string, Array<Value>>, key: string, value: Value): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** The one language of an ending; undefined where there are several. Data and prose whose usual ending it is are what it stands for. */
const meaningOf = (ending: string, languages: ReadonlyArray<LinguistLanguage>): string | null | undefined => {
  if (languages.some((language) => countedAs(language) === null && endingsOf(language)[0] === ending)) return null
  const counted = new Set(languages.flatMap((language) => countedAs(language) ?? []))
  return counted.size > 1 ? undefined : ([...counted][0] ?? null)
}

export const languageTable = (languages: ReadonlyArray<LinguistLanguage>): LanguageTable => {
  const byName = new Map<string, string | null>()
  const languagesByEnding = new Map<string, Array<LinguistLanguage>>()
  for (const language of languages) {
    for (const name of language.filenames ?? []) byName.set(name, countedAs(language))
    for (const ending of endingsOf(language)) append(languagesByEnding, ending, language)
  }

  const byEnding = new Map<string, string | null>()
  for (const [language, endings] of Object.entries(preferred)) for (const ending of words(endings)) byEnding.set(ending, language)
  const open: Array<string> = []
  for (const [ending, sharers] of languagesByEnding) {
    if (byEnding.has(ending) || byNeighbours.has(ending)) continue
    const language = meaningOf(ending, sharers)
    if (language === undefined) open.push(ending)
    else byEnding.set(ending, language)
  }

  const endingsByLanguage = new Map<string, Array<string>>()
  for (const [ending, language] of byEnding) if (language !== null) append(endingsByLanguage, language, ending)
  const ambiguous = new Map(byNeighbours)
  for (const ending of open) {
    const counted = new Set(languagesByEnding.get(ending)?.flatMap((language) => countedAs(language) ?? []))
    const candidates = [...counted].sort().map((language) => ({ language, beside: endingsByLanguage.get(language) ?? [] }))
    ambiguous.set(ending, { candidates })
  }
  return { byName, byEnding, ambiguous }
}

/** The extension of a name in lower case, such as `ts` of `index.d.ts`; "" for none. */
export const endingOf = (name: string): string => {
  const dot = name.lastIndexOf(".")
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase()
}

/** Parts of an ending at most. */
const maxParts = 2

/** Endings of a name, the longest first. */
const allEndings = (name: string): ReadonlyArray<string> => {
  const parts = name.toLowerCase().split(".").slice(1).slice(-maxParts)
  return parts.map((_, index) => parts.slice(index).join("."))
}

/** The language of a file by its name, without folders: known, ambiguous by its ending, or undefined. */
export const languageOf = (
  { ambiguous, byEnding, byName }: LanguageTable,
  name: string
):
  | { readonly _tag: "Known"; readonly language: string }
  | { readonly _tag: "Ambiguous"; readonly ending: string }
  | undefined => {
  const named = byName.get(name)
  if (named !== undefined) return named === null ? undefined : { _tag: "Known", language: named }
  for (const ending of allEndings(name)) {
    const language = byEnding.get(ending)
    if (language !== undefined) return language === null ? undefined : { _tag: "Known", language }
    if (ambiguous.has(ending)) return { _tag: "Ambiguous", ending }
  }
  return undefined
}
