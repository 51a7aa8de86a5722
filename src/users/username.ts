/** Words that lead elsewhere on the server, so nobody may be called so. Compared without regard to case. */
const reserved = new Set(
  `- .well-known 404.html 422.html 500.html 502.html 503.html admin api apple-touch-icon-precomposed.png apple-touch-icon.png
  assets dashboard deploy.html explore favicon.ico favicon.png files groups health_check help import invites jwt login oauth
  profile projects public robots.txt s search sitemap sitemap.xml sitemap.xml.gz slash-command-logo.png snippets unsubscribes
  uploads users v2`.split(/\s+/)
)

/** Endings by which the reference service would take a profile's address for a file. */
const fileExtensions = `html xhtml text txt js css ics csv vcf vtt png jpg jpeg jpe pjpeg gif bmp tiff tif svg webp mpeg mpg mpe
  mp3 mp1 mp2 ogg oga ogv spx opus webm mp4 m4a m4v aac otf ttf woff woff2 xml rss atom yml yaml json pdf zip gzip gz`.split(
  /\s+/
)

const format = /^(?:[a-zA-Z0-9_.][a-zA-Z0-9_\-.]*[a-zA-Z0-9_-]|[a-zA-Z0-9_])$/
const formatMessage =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."

/** What is wrong with a user name, in the words of the reference service. */
export const usernameErrors = (username: string): ReadonlyArray<string> => {
  if (username.trim() === "") return ["can't be blank"]
  const folded = username.toLowerCase()
  return [
    ...(username.length > 255 ? ["is too long (maximum is 255 characters)"] : []),
    ...(format.test(username) && !/\.(?:git|atom)$/.test(username) ? [] : [formatMessage]),
    ...(reserved.has(folded) ? ["is a reserved name"] : []),
    ...(fileExtensions.some((extension) => folded.endsWith(`.${extension}`))
      ? ["ending with a reserved file extension is not allowed."]
      : [])
  ]
}
