export const noSpace = "There is no space left for the repository"

/** What is said of a repository with more bytes than an import may take. */
export const tooLarge = (limit: number): string =>
  `The repository is larger than the ${Math.round(limit / 1024 / 1024)} MiB that an import may take`

/** What `git` says when a fetch fails, and what that means for people. The first that fits counts. */
const explanations: ReadonlyArray<readonly [said: RegExp, meant: string]> = [
  [
    /could not read (username|password)|authentication failed|returned error: 401/i,
    "The server refused the credentials, or needs some"
  ],
  [/returned error: 403/i, "The server denied access to the repository"],
  [/returned error: 30\d/i, "The address leads on to another one, which is not followed; often it only lacks .git at its end"],
  [
    /returned error: (404|410)|repository '' (not found|does not exist)|does not appear to be a git repository|invalid gitfile format/i,
    "There is no repository at this address"
  ],
  [/returned error: 5\d\d/i, "The server failed to answer"],
  [/could not resolve host/i, "The host of the import URL has no address"],
  [/operation too slow|timed out/i, "The server did not answer in time"],
  [/failed to connect|could not connect|connection refused|no route to host/i, "The server could not be reached"],
  [/ssl|certificate|tls/i, "There is no secure connection to the server: its certificate could not be verified"],
  [/no space left/i, noSpace],
  [/attempting to allocate|out of memory/i, "The repository has objects that are too large"],
  [/repository is shallow/i, "The repository is shallow: a part of its history is missing"],
  [/possible repository corruption/i, "Objects of the repository are damaged or missing"],
  [
    /not valid: is this a git repository|protocol error|bad line length|invalid server response/i,
    "The server does not answer as git does"
  ],
  [/fsckobjects|fsck error|error: object [0-9a-f]{40}: /i, "Objects of the repository are damaged"],
  [
    /non-commit object|refusing to|bad ref|invalid refspec|cannot lock ref|unable to create/i,
    "The repository has branches or tags that cannot be kept"
  ],
  [
    /early eof|hung up|unexpected disconnect|rpc failed|empty reply|recv failure|pack header|index-pack/i,
    "The connection broke off"
  ]
]

/**
 * Why a fetch failed, in words for people. What the server itself said is left out: it is somebody else's text, and may repeat the
 * credentials; and so are addresses, which may hold any word.
 */
export const remoteFault = (stderr: string): string => {
  const own = stderr
    .split("\n")
    .filter((line) => !/^(remote:|fatal: remote error:)/.test(line))
    .join("\n")
    .replace(/'[^'\n]*'/g, "''")
  return explanations.find(([said]) => said.test(own))?.[1] ?? "The repository could not be fetched"
}
