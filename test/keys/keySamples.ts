// Keys made by ssh-keygen, with the bits and fingerprints that it prints. Those of security tokens wrap points of the others.

export interface KeySample {
  readonly text: string
  readonly bits: number
  readonly fingerprint: string
  readonly fingerprintSha256: string
}

export const rsa: KeySample = {
  text: "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDDaqwLnyUueTCiNVNy6f9gb087OMKribbBh+livmKUkJBibWiFOkrT74nmAzXetqiAJkr1wp98Cm1zrChCGl5UAzB/b+sDUtRMv+yjWIShVzw4fVf6LqnnDE0B3CGbkesDM+OlxPwywq2Jl41HBrTa5fJvVv2QkHprn0k3ClhgXRwP+CvdM2RbvkL6VfvsEFsLox8ucd6+ulMtoNTP7LgGGgw4LCtWc1pnZRK8PYVEyrJGxF8wBnH3+kEd/h+dlUiFg3AndsfXWjit9aTUUB1gVc1IV6jII7ak4kDmgcXiVtq+f5aR3iaON5a7XJlSI/aT0Uxx7Iz3RlTIHGRqH1id ada@example.com",
  bits: 2048,
  fingerprint: "a5:86:6d:e2:a8:44:6e:a4:45:03:be:1e:57:47:af:32",
  fingerprintSha256: "EKK08n7oQoKHDOIEgogZNGitqZ0j8Oz7qEFz8DgfKHY"
}

export const smallRsa: KeySample = {
  text: "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC9e3PZrHE1zWpFXuXaRa0vEnclPjO+E41MZ52kfiSQYDy86uQ+lcpZ28a8w1UG8PK+3/VO64hss82v3NbAXBl8Yp7M5Z+IPoloK17mX5m0kRAABz89Esy/FpL9zB3fBcqRnqDhhfMCsvN724cmQTuMf6BXcv/XNYND35MU5KfDoQ== small",
  bits: 1024,
  fingerprint: "88:8b:24:68:02:78:57:35:55:5b:ca:b7:dd:40:20:b9",
  fingerprintSha256: "2kK/Y/7VmuorDsU4op0j8wQa19sG8m3gjb3PBOf8bAE"
}

export const nistp256: KeySample = {
  text: "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBKnXCwZxSTqcQDLHjZeyMc7b+O8AKXq6RHje8KfFXH5jBIEQdhuM8L8bDPvaibkHGsGdUadbLIdvP0wbGY5vQLY= ec256",
  bits: 256,
  fingerprint: "61:a8:af:b9:e9:fd:b1:35:24:c7:ab:ed:e8:80:4a:83",
  fingerprintSha256: "hg/Dpc+VuUE4UdRQ0ckBVM+CVg8pDWsMbj7bM3PIArA"
}

export const nistp384: KeySample = {
  text: "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBNG62k91dt5pezke60s1uk6zEoVLaTix3ePEkGmibFPIAIc/nMn2FTa22Z0n4ZvlKWZIHCC670Ll/1l7rmhYh/GAnCnUPm9h6D80taPQnlj3mS3T3EEnbDNq1uC9W/axRA== ec384",
  bits: 384,
  fingerprint: "5f:c8:c4:de:00:78:da:a0:3b:fd:e5:1a:ab:71:15:28",
  fingerprintSha256: "ag0KUAckdeqA/7zC2UWfW9ebWe0KfTCtivQgWvFQD/A"
}

export const nistp521: KeySample = {
  text: "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBADEtHHjvZx0adcUEjU3wY8TjB8YnKe2SSSbobsG9lrfSApb4OYcLobEpkwE9us7QfE/sYbu9x2lSQC1rkjPaK2OhAEiH+X2F/jvRiw+zpwCYFyKQGKPRby/N1rF9E5OyWOKKeAiNygnETudHWaDzX6dB58xNeNbrk5tDNFJTXJcAfRM0Q== ec521",
  bits: 521,
  fingerprint: "e4:05:46:9d:4e:d9:b2:2f:ca:46:f2:d6:ab:3c:62:ed",
  fingerprintSha256: "gVVGLbnRUfTsSZ07baAJT5stfU04nak4tWzNG6N8kt4"
}

export const ed25519: KeySample = {
  text: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMUYjcsZZs6IwmIai3Dnrhu1OT+/1HHu9Gvopu+q+6U0 grace@example.com",
  bits: 256,
  fingerprint: "5a:47:c6:45:60:09:3d:a5:43:c8:d0:aa:82:88:6e:ca",
  fingerprintSha256: "NqX6p0kXu1iQ2W6g9YtZyaKJCpO751Nd3frPwcXpHnw"
}

export const otherEd25519: KeySample = {
  text: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAe0mv6e7kOPZD4HR/w/7wbROK2qzetgamAUNJVaEEOM ci",
  bits: 256,
  fingerprint: "62:ec:f3:a8:d1:f8:cd:89:53:90:df:fc:e6:10:9d:90",
  fingerprintSha256: "CdqYbCaiQc8/2k2iPCQduMepod1zrqgct4fGVbvhmKU"
}

export const bareEd25519: KeySample = {
  text: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPZUp+4oeR5WiYyn9fDCeE2qSPy9/ixzyhr+/xtJjiT+",
  bits: 256,
  fingerprint: "26:cc:d7:4f:3f:fa:4f:76:2f:00:4a:c7:7e:49:bf:08",
  fingerprintSha256: "DmlDAm3A2GnCca6LSxHdAAHrRgl6bUiqK2Tj/Alk5Qk"
}

export const securityEd25519: KeySample = {
  text: "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIPZUp+4oeR5WiYyn9fDCeE2qSPy9/ixzyhr+/xtJjiT+AAAABHNzaDo= sked",
  bits: 256,
  fingerprint: "e8:f2:56:b1:a9:ac:76:61:21:d0:a4:4c:f6:df:b0:1b",
  fingerprintSha256: "u3NTxYn23wpo7Q/8dUtowHG96ck0Si+sVKrRkzLNMYM"
}

export const securityNistp256: KeySample = {
  text: "sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBKnXCwZxSTqcQDLHjZeyMc7b+O8AKXq6RHje8KfFXH5jBIEQdhuM8L8bDPvaibkHGsGdUadbLIdvP0wbGY5vQLYAAAAEc3NoOg== skec",
  bits: 256,
  fingerprint: "ea:1c:0e:9d:62:cd:80:3d:d5:08:6a:e3:41:43:4f:13",
  fingerprintSha256: "loGJUjJ1yApXEX8zbl++s7YZ18zs/CYKtxQ2M3QfaDc"
}

export const dsa: KeySample = {
  text: "ssh-dss AAAAB3NzaC1kc3MAAACBANe+uemVSD4STjpz8ch9dYClJs5rwCyMmRH7xwQ8lLz9TAubwQjVuIENoPGgKTosOY7/2rgKbN3rAT7kw3DOuCfoTdgnWDiDUqCGQfKLMLBpGlqsUiXeMVSxTK6b/hXPZhCB6wtHSWTqsJHNjSaFYS93prFcxZNCk5qnrCevK2ZTAAAAFQDZb4PHjcwLRRnu3r77PlgOs2fYaQAAAIAJZi5awwYjqfnjh5/M04Tcpp7TPljQrkcUBurl/kLoGprCNb1m8aFDqnmGbVXUG53cAE/lMZcJMVT9dtni70N603fvoNcTthUTLCh46an9K9LqKoci2TgxM1G6/aqPwxuCqgdX5MHDnGQWh5QipBciT8HjSkcuhm2Qh+73zKJBhQAAAIB0+roG4GU+K7s9RsM8jCyKo+2JnvtMaE+927i5fEc8rG3shqjYsCZt5hKCTeCbiSpDdkgmcZDiEtwVUtsYeybbs4YbsoXaKoiK/Jb/Va1eZahNLAfWYRWD6jnVSHvrzYuJupPMeu3dyqn76FksDStQz1z7DnGIvLaAI0O3eB4spA== old",
  bits: 1024,
  fingerprint: "55:23:c0:42:fb:cd:52:41:17:f1:ca:7f:fa:bf:c1:49",
  fingerprintSha256: "cNwmKpQP34n05Uw5k61Agk/TRXdT9R5hyiJATLN8aEk"
}
