import { describe, expect, it } from "vitest"
import { gitTarget } from "#src/git/http/route.ts"

const fetching = { _tag: "Advertise", path: "group/project", service: "git-upload-pack" }

describe("gitTarget", () => {
  it.each([
    ["GET", "/group/project.git/info/refs?service=git-upload-pack", fetching],
    ["GET", "/group/project.git/info/refs?foo=bar&service=git-upload-pack", fetching],
    [
      "GET",
      "/a/b-1/c_2/d.e.git/info/refs?service=git-receive-pack",
      { ...fetching, path: "a/b-1/c_2/d.e", service: "git-receive-pack" }
    ],
    ["POST", "/group/project.git/git-upload-pack", { _tag: "Call", path: "group/project", service: "git-upload-pack" }],
    ["POST", "/group/project.git/git-receive-pack", { _tag: "Call", path: "group/project", service: "git-receive-pack" }],
    [
      "GET",
      "/group/project/info/refs?service=git-upload-pack",
      { _tag: "Redirect", location: "../../project.git/info/refs?service=git-upload-pack" }
    ],
    ["GET", "/group/project/info/refs", { _tag: "Redirect", location: "../../project.git/info/refs" }],
    ["GET", "/group/project.git/info/refs", { _tag: "NoSuchService" }],
    ["GET", "/group/project.git/info/refs?service=git-upload-archive", { _tag: "NoSuchService" }],
    ["GET", "/group/project.wiki.git/info/refs?service=git-upload-pack", { _tag: "Wiki" }],
    ["POST", "/group/project.git/info/lfs/objects/batch", { _tag: "LargeFiles" }],
    ["GET", "/group/project.git/info/lfs/locks?path=x", { _tag: "LargeFiles" }]
  ])("%s %s", (method, url, target) => {
    expect(gitTarget(method, url)).toEqual(target)
  })

  it.each([
    ["GET", "/group/project.git/HEAD"],
    ["GET", "/group/project.git/objects/info/packs"],
    ["GET", "/group/project.git/objects/17/0123456789012345678901234567890123456789"],
    ["GET", "/group/project.git/git-upload-pack"],
    ["POST", "/group/project.git/info/refs?service=git-upload-pack"],
    ["HEAD", "/group/project.git/info/refs?service=git-upload-pack"],
    ["POST", "/group/project.git/git-upload-archive"],
    ["GET", "/project.git/info/refs?service=git-upload-pack"],
    ["GET", "//group/project.git/info/refs?service=git-upload-pack"],
    ["GET", "/group//project.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/../project.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/..git/info/refs?service=git-upload-pack"],
    ["GET", "/group/...git/info/refs?service=git-upload-pack"],
    ["GET", "/group/-x.git/info/refs?service=git-upload-pack"],
    ["GET", "/-x/project.git/info/refs?service=git-upload-pack"],
    ["GET", "/group%2Fproject.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/pro%2Fject.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/%2e%2e/project.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/project%00.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/project%0a.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/pro%zzject.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/project.git/project.git/info/refs?service=git-upload-pack"],
    ["GET", "/group/project.git/../../etc/passwd"],
    ["GET", `/group/${"x".repeat(256)}.git/info/refs?service=git-upload-pack`],
    ["GET", `/group/${"x/".repeat(3000)}p.git/info/refs?service=git-upload-pack`]
  ])("finds nothing at %s %s", (method, url) => {
    expect(gitTarget(method, url)).toEqual({ _tag: "Nothing" })
  })

  it.each([
    ["GET", "/api/v4/projects/1/repository/files/a.git/info/refs"],
    ["GET", "/-/health.git/x"],
    ["GET", "/group/project"],
    ["GET", "/group/../info/refs?service=git-upload-pack"],
    ["GET", "/"]
  ])("leaves %s %s to others", (method, url) => {
    expect(gitTarget(method, url)).toBeUndefined()
  })
})
