export const added = {
  projectId: 4,
  secret: "66dbcd21ec5d24ed6ea225176098d52b",
  name: "dk.png",
  bytes: 3,
  sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  by: 7
} as const

export const place = { projectId: added.projectId, secret: added.secret, name: added.name }
