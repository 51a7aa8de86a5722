import {
  addingGroups,
  addingOwnProjects,
  administrators,
  anyone,
  foreignTokens,
  listingUsers,
  readingUser,
  rotatingForeignTokens,
  users
} from "./rights.ts"
import type { Row } from "./row.ts"
import { newKeyText } from "./seed.ts"
import type { Anywhere } from "./useWorld.ts"

const ofUsers = { scope: "read_user" } as const
const named = (name: string) => ({ name, path: name })
const account = (username: string) => ({
  username,
  name: username,
  email: `${username}@example.com`,
  force_random_password: true
})
const newKey = () => ({ json: { title: "new", key: newKeyText() } })
const token = { name: "new", scopes: ["api"] }
const cluster = (scope: string) => ({
  name: scope,
  environment_scope: scope,
  platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "t" }
})
const administer = (path: `/${string}`, subject: Parameters<Anywhere["subject"]>[0]): Row<Anywhere> => [
  `POST /users/:id${path}`,
  201,
  administrators,
  (at) => ({ path: { id: at.subject(subject) } }),
  ofUsers
]

export const instanceRows: ReadonlyArray<Row<Anywhere>> = [
  ["GET /version", 200, users, undefined, ofUsers],
  ["GET /metadata", 200, users, undefined, ofUsers],

  ["GET /user", 200, users, undefined, ofUsers],
  ["GET /users", 200, listingUsers, undefined, ofUsers],
  ["GET /users", 200, anyone, () => ({ query: { username: "somebody" } }), { ...ofUsers, when: "by name" }],
  ["GET /users/:id", 200, readingUser, ({ somebody }) => ({ path: { id: somebody } }), ofUsers],
  ["POST /users", 201, administrators, ({ unique }) => ({ json: account(`new-${unique}`) }), ofUsers],
  ["PUT /users/:id", 200, administrators, ({ subject }) => ({ path: { id: subject("updated") }, json: { bio: "new" } }), ofUsers],
  ["DELETE /users/:id", 204, administrators, ({ subject }) => ({ path: { id: subject("deleted") } }), ofUsers],
  administer("/block", "block"),
  administer("/unblock", "unblock"),
  administer("/deactivate", "deactivate"),
  administer("/activate", "activate"),
  administer("/ban", "ban"),
  administer("/unban", "unban"),

  ["GET /personal_access_tokens", 200, users],
  ["GET /personal_access_tokens/self", 200, users, undefined, { scope: "any" }],
  ["DELETE /personal_access_tokens/self", 204, users, ({ revokedToken }) => ({ token: revokedToken }), { scope: "any" }],
  ["POST /personal_access_tokens/self/rotate", 200, users, ({ rotatedToken }) => ({ token: rotatedToken })],
  ["GET /personal_access_tokens/:id", 200, users, ({ ownToken }) => ({ path: { id: ownToken } }), { when: "of one's own" }],
  ["GET /personal_access_tokens/:id", 200, foreignTokens, ({ theirToken: it }) => ({ path: { id: it.id } })],
  ["DELETE /personal_access_tokens/:id", 204, foreignTokens, ({ theirRevokedToken: it }) => ({ path: { id: it.id } })],
  [
    "POST /personal_access_tokens/:id/rotate",
    200,
    rotatingForeignTokens,
    ({ theirRotatedToken: it }) => ({ path: { id: it.id } })
  ],
  [
    "POST /users/:user_id/personal_access_tokens",
    201,
    administrators,
    ({ somebody }) => ({ path: { user_id: somebody }, json: token })
  ],

  ["GET /keys/:id", 200, administrators, ({ theirKey }) => ({ path: { id: theirKey.id } })],
  ["GET /keys", 200, administrators, ({ theirKey }) => ({ query: { fingerprint: theirKey.fingerprint } })],
  ["GET /user/keys", 200, users, undefined, ofUsers],
  ["GET /user/keys/:key_id", 200, users, ({ ownKey }) => ({ path: { key_id: ownKey } }), ofUsers],
  ["POST /user/keys", 201, users, newKey, ofUsers],
  ["DELETE /user/keys/:key_id", 204, users, ({ spareKey }) => ({ path: { key_id: spareKey } }), ofUsers],
  ["GET /users/:user_id/keys", 200, anyone, ({ somebody }) => ({ path: { user_id: somebody } }), ofUsers],
  [
    "GET /users/:id/keys/:key_id",
    200,
    anyone,
    ({ somebody, theirKey }) => ({ path: { id: somebody, key_id: theirKey.id } }),
    ofUsers
  ],
  ["POST /users/:user_id/keys", 201, administrators, ({ somebody }) => ({ path: { user_id: somebody }, ...newKey() }), ofUsers],
  [
    "DELETE /users/:id/keys/:key_id",
    204,
    administrators,
    ({ somebody, theirSpareKey }) => ({ path: { id: somebody, key_id: theirSpareKey.id } }),
    ofUsers
  ],
  ["GET /deploy_keys", 200, administrators],
  ["POST /deploy_keys", 201, administrators, newKey],

  ["GET /admin/clusters", 200, administrators],
  ["GET /admin/clusters/:cluster_id", 200, administrators, (at) => ({ path: { cluster_id: at.cluster } })],
  ["POST /admin/clusters/add", 201, administrators, ({ unique }) => ({ json: cluster(unique) })],
  [
    "PUT /admin/clusters/:cluster_id",
    200,
    administrators,
    (at) => ({ path: { cluster_id: at.cluster }, json: { name: "renamed" } })
  ],
  ["DELETE /admin/clusters/:cluster_id", 204, administrators, ({ spareCluster }) => ({ path: { cluster_id: spareCluster } })],

  ["GET /todos", 200, users],
  ["POST /todos/mark_as_done", 204, users],
  ["POST /todos/:id/mark_as_done", 201, users, ({ ownTodo }) => ({ path: { id: ownTodo } })],

  ["GET /groups", 200, anyone],
  ["POST /groups", 201, addingGroups, ({ unique }) => ({ json: named(`group-of-${unique}`) })],
  ["GET /namespaces", 200, users],
  ["GET /projects", 200, anyone],
  ["GET /merge_requests", 200, anyone, () => ({ query: { scope: "all" } })],
  ["GET /merge_requests", 200, users, undefined, { when: "the caller's own" }],
  ["GET /issues", 200, anyone, () => ({ query: { scope: "all" } })],
  ["GET /issues", 200, users, undefined, { when: "the caller's own" }],
  ["GET /users/:user_id/projects", 200, anyone, ({ somebody }) => ({ path: { user_id: somebody } })],
  ["GET /users/:user_id/starred_projects", 200, anyone, ({ somebody }) => ({ path: { user_id: somebody } })],
  ["POST /projects", 201, addingOwnProjects, ({ unique }) => ({ json: named(`project-of-${unique}`) })],
  [
    "POST /projects/user/:user_id",
    201,
    administrators,
    ({ somebody, unique }) => ({ path: { user_id: somebody }, json: named(`for-${unique}`) })
  ]
]
