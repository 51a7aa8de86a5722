/** Languages that are written, by their usual names, each with the endings of its files; those of data and prose are left out. */
const endings: Readonly<Record<string, string>> = {
  ABAP: "abap",
  ActionScript: "as",
  Ada: "ada adb ads",
  Agda: "agda",
  Alloy: "als",
  ANTLR: "g4",
  Apex: "apex trigger",
  AppleScript: "applescript scpt",
  "ASP.NET": "asax ascx ashx asmx aspx",
  Assembly: "asm nasm s",
  Astro: "astro",
  AutoHotkey: "ahk",
  AutoIt: "au3",
  Awk: "awk gawk",
  Ballerina: "bal",
  BASIC: "bas",
  Batchfile: "bat cmd",
  Bicep: "bicep",
  Blade: "blade.php",
  C: "c",
  "C#": "cs csx cake",
  "C++": "c++ cc cpp cppm cxx h++ hh hpp hxx inl ino ipp ixx tpp",
  Cairo: "cairo",
  "Cap'n Proto": "capnp",
  Clojure: "clj cljc cljs cljx",
  CMake: "cmake",
  COBOL: "cbl cob cpy",
  CodeQL: "ql qll",
  CoffeeScript: "coffee litcoffee",
  ColdFusion: "cfc cfm",
  "Common Lisp": "asd lisp lsp",
  Crystal: "cr",
  CSS: "css",
  Cuda: "cu cuh",
  CUE: "cue",
  Cython: "pxd pxi pyx",
  D: "d di",
  Dart: "dart",
  Dhall: "dhall",
  Dockerfile: "containerfile dockerfile",
  EJS: "ejs",
  Elixir: "ex exs",
  Elm: "elm",
  "Emacs Lisp": "el",
  Erlang: "erl hrl",
  "F#": "fsi fsx",
  Factor: "factor",
  Fennel: "fnl",
  Fish: "fish",
  Forth: "4th forth fth",
  Fortran: "f f03 f08 f77 f90 f95 for",
  GDScript: "gd",
  Gherkin: "feature",
  Gleam: "gleam",
  GLSL: "comp frag geom glsl tesc tese vert",
  Go: "go",
  Groovy: "groovy gvy",
  Hack: "hack",
  Haml: "haml",
  Handlebars: "handlebars hbs",
  Haskell: "hs hsc lhs",
  Haxe: "hx",
  HCL: "hcl tf tfvars",
  HLSL: "fx fxh hlsl",
  HTML: "cshtml eex erb heex htm html leex phtml razor xht xhtml",
  Idris: "idr",
  Isabelle: "thy",
  Java: "java jsp",
  JavaScript: "cjs es6 gs js jsm jsx mjs",
  Jinja: "j2 jinja jinja2",
  Jsonnet: "jsonnet libsonnet",
  Julia: "jl",
  "Jupyter Notebook": "ipynb",
  Just: "just",
  Kotlin: "kt ktm kts",
  Lean: "lean",
  Less: "less",
  Lex: "l lex",
  Liquid: "liquid",
  LiveScript: "ls",
  LLVM: "ll",
  Lua: "lua",
  Luau: "luau",
  M4: "ac m4",
  Makefile: "mak make mk",
  MATLAB: "matlab",
  MDX: "mdx",
  Metal: "metal",
  Mojo: "mojo",
  MoonScript: "moon",
  Move: "move",
  Mustache: "mustache",
  Nim: "nim nimble nims",
  Nix: "nix",
  Nunjucks: "njk",
  Nushell: "nu",
  "Objective-C++": "mm",
  OCaml: "ml mli mll mly",
  Odin: "odin",
  "Open Policy Agent": "rego",
  OpenSCAD: "scad",
  Pascal: "dpr lpr pas",
  Perl: "pm psgi t",
  PHP: "php php3 php4 php5 phps",
  Pkl: "pkl",
  PLpgSQL: "pgsql",
  PLSQL: "pkb pks pls plsql",
  PostCSS: "pcss postcss",
  PowerShell: "ps1 psd1 psm1",
  Processing: "pde",
  Prolog: "plt prolog",
  Pug: "jade pug",
  Puppet: "epp",
  PureScript: "purs",
  Python: "py pyi pyw",
  QML: "qml",
  R: "r",
  Racket: "rkt",
  Raku: "p6 pl6 pm6 raku rakumod",
  Reason: "re rei",
  ReScript: "res resi",
  RobotFramework: "robot",
  Roc: "roc",
  Ruby: "gemspec jbuilder podspec rake rb rbi ru thor",
  Rust: "rs",
  SAS: "sas",
  Sass: "sass",
  Scala: "sbt sc scala",
  Scheme: "scm sld ss",
  SCSS: "scss",
  ShaderLab: "shader",
  Shell: "bash bats command ksh sh zsh",
  Slim: "slim",
  Smalltalk: "st",
  Solidity: "sol",
  Stan: "stan",
  "Standard ML": "sig sml",
  Starlark: "bzl star",
  Stata: "ado do",
  Stylus: "styl",
  Svelte: "svelte",
  Swift: "swift",
  SystemVerilog: "sv svh vh",
  Tcl: "itcl tcl",
  TeX: "dtx ins ltx sty tex",
  Thrift: "thrift",
  TLA: "tla",
  TSQL: "tsql",
  Twig: "twig",
  TypeScript: "cts mts ts tsx",
  Typst: "typ",
  V: "vsh",
  Vala: "vala vapi",
  VBA: "frm",
  VBScript: "vbs",
  VHDL: "vhd vhdl",
  "Vim Script": "vim",
  "Visual Basic .NET": "vb",
  Vue: "vue",
  Vyper: "vy",
  WebAssembly: "wast wat",
  WGSL: "wgsl",
  "Wolfram Language": "nb wl wls",
  XQuery: "xq xquery xqy",
  XSLT: "xsl xslt",
  Yacc: "y yacc yy",
  Zig: "zig"
}

/** Names of files that have no ending, or another language than theirs. */
const names: Readonly<Record<string, string>> = {
  CMake: "CMakeLists.txt",
  CoffeeScript: "Cakefile",
  Dockerfile: "Containerfile Dockerfile",
  "Emacs Lisp": ".emacs .gnus .spacemacs Cask",
  Groovy: "Jenkinsfile",
  JavaScript: "Jakefile",
  Just: "Justfile justfile",
  Makefile: "GNUmakefile Kbuild Makefile Makefile.am Makefile.in makefile",
  Meson: "meson.build meson_options.txt",
  Perl: "Makefile.PL cpanfile",
  Python: "SConscript SConstruct wscript",
  R: ".Rprofile",
  Ruby: "Appraisals Berksfile Brewfile Capfile Dangerfile Fastfile Gemfile Guardfile Podfile Rakefile Thorfile Vagrantfile",
  Shell: ".bash_aliases .bash_profile .bashrc .profile .zprofile .zshenv .zshrc APKBUILD PKGBUILD",
  Starlark: "BUCK BUILD BUILD.bazel MODULE.bazel Tiltfile WORKSPACE WORKSPACE.bazel",
  "Vim Script": ".gvimrc .vimrc _vimrc"
}

const inverted = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).flatMap(([language, words]) => words.split(" ").map((word) => [word, language] as const)))

const byEnding = inverted(endings)
const byName = inverted(names)

/** A language that an ending may stand for, with other endings that are found beside it. */
export interface Candidate {
  readonly language: string
  readonly beside: ReadonlyArray<string>
}

const candidates = (table: Readonly<Record<string, string>>): ReadonlyArray<Candidate> =>
  Object.entries(table).map(([language, beside]) => ({ language, beside: beside.split(" ") }))

/** Endings of several languages: that counts of which most is beside it, else the first. */
export const ambiguousEndings: ReadonlyMap<string, ReadonlyArray<Candidate>> = new Map(
  Object.entries({
    cl: candidates({ OpenCL: "c cc cpp", "Common Lisp": "asd lisp" }),
    cls: candidates({ TeX: "sty tex", Apex: "apex trigger", VBA: "bas frm" }),
    fs: candidates({ "F#": "fsi fsproj fsx", GLSL: "frag glsl vert vs", Forth: "4th fth" }),
    h: candidates({ C: "c", "C++": "cc cpp cxx hh hpp hxx", "Objective-C": "m mm" }),
    m: candidates({ MATLAB: "mat mlx", "Objective-C": "h mm pbxproj storyboard xib" }),
    pl: candidates({ Perl: "pm t", Prolog: "plt prolog" }),
    pp: candidates({ Puppet: "epp", Pascal: "dpr lpr pas" }),
    v: candidates({ Verilog: "sv svh vh", Coq: "vo", V: "mod vsh" })
  })
)

/** The language of a file by its name, without folders: known, ambiguous by its ending, or undefined. */
export const languageOf = (
  name: string
):
  | { readonly _tag: "Known"; readonly language: string }
  | { readonly _tag: "Ambiguous"; readonly ending: string }
  | undefined => {
  const ending = endingOf(name)
  const language =
    byName.get(name) ?? byEnding.get(name.toLowerCase().split(".").slice(1).slice(-2).join(".")) ?? byEnding.get(ending)
  if (language !== undefined) return { _tag: "Known", language }
  return ambiguousEndings.has(ending) ? { _tag: "Ambiguous", ending } : undefined
}

/** `ts` of `index.d.ts`, in lower case; "" for none. */
export const endingOf = (name: string): string => {
  const dot = name.lastIndexOf(".")
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase()
}
