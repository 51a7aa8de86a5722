/**
 * What a token may be given. `api` allows everything that its user may do, `read_api` every read, `read_user` reads of users,
 * `read_repository` and `write_repository` git, `sudo` acting as somebody else. The rest belongs to features that are not
 * here: it is accepted, because clients ask for it, and allows nothing.
 */
export const scopes = [
  "api",
  "read_user",
  "read_api",
  "create_runner",
  "manage_runner",
  "k8s_proxy",
  "read_repository",
  "write_repository",
  "read_registry",
  "write_registry",
  "ai_features",
  "sudo",
  "admin_mode",
  "read_service_ping"
] as const
