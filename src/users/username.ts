import { topLevelPathErrors } from "../kernel/pathErrors.ts"

/** The file extensions that a user name must not end with. */
const fileExtensions = `html xhtml text txt js css ics csv vcf vtt png jpg jpeg jpe pjpeg gif bmp tiff tif svg webp mpeg mpg mpe
  mp3 mp1 mp2 ogg oga ogv spx opus webm mp4 m4a m4v aac otf ttf woff woff2 xml rss atom yml yaml json pdf zip gzip gz`.split(
  /\s+/
)

/** What is wrong with a user name, in the words of the reference service. */
export const usernameErrors = (username: string): ReadonlyArray<string> => {
  const folded = username.toLowerCase()
  return [
    ...topLevelPathErrors(username),
    ...(fileExtensions.some((extension) => folded.endsWith(`.${extension}`))
      ? ["ending with a reserved file extension is not allowed."]
      : [])
  ]
}
