/** Words that are reserved for other paths of the server, so that no user or group may have them, in any case. */
const reservedAtTop = new Set(
  `- .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon-precomposed.png apple-touch-icon.png
  assets dashboard deploy.html explore favicon.ico favicon.png files groups health_check help import invites jwt login oauth
  profile projects public robots.txt s search sitemap sitemap.xml sitemap.xml.gz slash-command-logo.png snippets unsubscribes
  uploads users v2`.split(/\s+/)
)

/** Words that are reserved for pages of a project, so that nothing inside a namespace may have them. */
const reservedBelow = new Set(
  `- badges blame blob builds commits create create_dir edit environments/folders files find_file gitlab-lfs/objects
  info/lfs/objects new preview raw refs tree update wikis`.split(/\s+/)
)

const format = /^(?:[a-zA-Z0-9_.][a-zA-Z0-9_\-.]*[a-zA-Z0-9_-]|[a-zA-Z0-9_])$/
const formatMessage =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."

/** What is wrong with a user name or the path of a group, in the words of the reference service. */
const errorsOf = (path: string, reserved: ReadonlySet<string>): ReadonlyArray<string> => {
  if (path.trim() === "") return ["can't be blank"]
  return [
    ...(path.length > 255 ? ["is too long (maximum is 255 characters)"] : []),
    ...(format.test(path) && !/\.(?:git|atom)$/.test(path) ? [] : [formatMessage]),
    ...(reserved.has(path.toLowerCase()) ? ["is a reserved name"] : [])
  ]
}

/** What is wrong with the path of something at the top level: a user or a group. */
export const topLevelPathErrors = (path: string): ReadonlyArray<string> => errorsOf(path, reservedAtTop)

/** What is wrong with the path of something inside a namespace. */
export const innerPathErrors = (path: string): ReadonlyArray<string> => errorsOf(path, reservedBelow)
