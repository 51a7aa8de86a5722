/** An active user as others are shown one, keys in the order of the interface. */
export const userReference = (url: string, id: unknown, username: string, name = username) => ({
  id,
  username,
  name,
  state: "active",
  locked: false,
  avatar_url: null,
  web_url: `${url}/${username}`
})

export const rootReference = (url: string) => userReference(url, 1, "root", "Administrator")
