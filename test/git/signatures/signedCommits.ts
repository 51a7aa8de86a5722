/** Commits as `git commit -S` wrote them, all by `Signer <signer@example.com>`, and the public keys of the SSH signatures. */
interface SignedCommit {
  readonly key: string
  readonly content: string
}

export const sshSigned: Readonly<Record<string, SignedCommit>> = {
  ed25519: {
    key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL15VRgDs2FUwlCBEiei6/63SzfhlNEyZ8CRdzDJPLoD signer",
    content: [
      "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      "author Signer <signer@example.com> 1700000000 +0000",
      "committer Signer <signer@example.com> 1700000000 +0000",
      "gpgsig -----BEGIN SSH SIGNATURE-----",
      " U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgvXlVGAOzYVTCUIESJ6Lr/rdLN+",
      " GU0TJnwJF3MMk8ugMAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5",
      " AAAAQLyP63WWtQX6xy77hoCCxcXY9Bv/AXYikZX4m4k5jW1Df+Lzerg6FsMKs3IGj0SnsS",
      " 5hvtuwW8XYgq3wsc5TywQ=",
      " -----END SSH SIGNATURE-----",
      "",
      "Signed by ed25519 ed25519",
      ""
    ].join("\n")
  },
  rsa: {
    key: "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQCjNtyVFdnMi2fXiBPjddFFsNaq4zHdxmbBcOvOvYaeJLauwVT3lambFat4Sv4Ea08a0fz8YIkGGTllOs4k+wQU5XUqjLFSjdK6MqTqnwmZWZlGJz7xzjt7ciBamQhUpb4TWXqp38aKs1uIWvJQYMD6VfSmDH/1xS7urG/08lbnVYu4b2/mgC5oMXEPEqd/UZst/Zsp//HnicMfPdPnxcf/JxPOuMkwtAZq/2Kbhkwi0fe5jtPtVCboMrcuP4E1jIoTsMKDX63G/Z6xzdRe3VyS7R98fxIzDMDnRDoCoioUSRppkwlB9WpV9jfDxadTfonzNIDpKa1KNxdtutDyjzgmn01pCXnqDyO6KMPTuTo0MvOH43rrZZDa1+V+a9cS7lzPQ5TYK507Fi6ByOolW0Ss1edFKW3hyf39KWQ+r42jnv7uaT6GxtcRmwDaP5+DXnzaScCqP26PNN8owyChFMzTQ4vUydcf6+BZXp3NxYeFXQTa93NVSfMk05ujt1M4uJk= signer",
    content: [
      "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      "author Signer <signer@example.com> 1700000000 +0000",
      "committer Signer <signer@example.com> 1700000000 +0000",
      "gpgsig -----BEGIN SSH SIGNATURE-----",
      " U1NIU0lHAAAAAQAAAZcAAAAHc3NoLXJzYQAAAAMBAAEAAAGBAKM23JUV2cyLZ9eIE+N10U",
      " Ww1qrjMd3GZsFw6869hp4ktq7BVPeVqZsVq3hK/gRrTxrR/PxgiQYZOWU6ziT7BBTldSqM",
      " sVKN0roypOqfCZlZmUYnPvHOO3tyIFqZCFSlvhNZeqnfxoqzW4ha8lBgwPpV9KYMf/XFLu",
      " 6sb/TyVudVi7hvb+aALmgxcQ8Sp39Rmy39myn/8eeJwx890+fFx/8nE864yTC0Bmr/YpuG",
      " TCLR97mO0+1UJugyty4/gTWMihOwwoNfrcb9nrHN1F7dXJLtH3x/EjMMwOdEOgKiKhRJGm",
      " mTCUH1alX2N8PFp1N+ifM0gOkprUo3F2260PKPOCafTWkJeeoPI7oow9O5OjQy84fjeutl",
      " kNrX5X5r1xLuXM9DlNgrnTsWLoHI6iVbRKzV50UpbeHJ/f0pZD6vjaOe/u5pPobG1xGbAN",
      " o/n4NefNpJwKo/bo803yjDIKEUzNNDi9TJ1x/r4Flenc3Fh4VdBNr3c1VJ8yTTm6O3Uzi4",
      " mQAAAANnaXQAAAAAAAAABnNoYTUxMgAAAZQAAAAMcnNhLXNoYTItNTEyAAABgGpo1tmaq9",
      " 3asEem9pBXL7yMHzgSxnl7eHpaouWWjWC1X5GNjjPSl1IUTcvrchUdLbdHIzjx1bzRNQV3",
      " kHU9IEqCHdL+dP0rx0RVi6BpZWaICtXTzFejXU3WpzeAyvqWmJS7Pu6/zL8hUliov/zZtv",
      " +pxLhwaAYFVMsHJG8TAe4HbxT6NXjKuYc8RQl0Nbp5SUe7+SOIeXgAeZ2bhhQKYIiG0Hwj",
      " +WPqvsNcTQrjE3mDVRR0oA8EoEwwOoTDuuehw34h/eaQ6RuAHKDQxbN1TFPD000scpGzva",
      " wdtkrYrf7US3vtT4/lg0fs69h+5VXSQx2plZpKqsv6SXNTpFu68YZKCA5f9d5OKPTJO0UN",
      " lLOfYWl+QWk1/EY5J9XNF06T4jz2h16vCD0T+nx8VLrD5ihW8zCDbBe3PRR8lfczwmLKCx",
      " 9qiSNTLpG44SY8onNEHjHwAshDOULY4lf2OAYADqXTmDiV9hcncwzrae2UC7pS06a6O8Uj",
      " MC59ThMQjG6WRg==",
      " -----END SSH SIGNATURE-----",
      "",
      "Signed by rsa 3072",
      ""
    ].join("\n")
  },
  nistp256: {
    key: "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBDeYESnyw0LbARhxmmJT4DaDPBhD3UXUAmN/9d4G6ZG344kxVGpBOVJ0vFbjcz5AUaREnaR9Kyk+8Zus14OS4VA= signer",
    content: [
      "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      "author Signer <signer@example.com> 1700000000 +0000",
      "committer Signer <signer@example.com> 1700000000 +0000",
      "gpgsig -----BEGIN SSH SIGNATURE-----",
      " U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE",
      " EEN5gRKfLDQtsBGHGaYlPgNoM8GEPdRdQCY3/13gbpkbfjiTFUakE5UnS8VuNzPkBRpESd",
      " pH0rKT7xm6zXg5LhUAAAAANnaXQAAAAAAAAABnNoYTUxMgAAAGUAAAATZWNkc2Etc2hhMi",
      " 1uaXN0cDI1NgAAAEoAAAAhAM97SkyA7RfB5X4sfB9yt+r3Am01ue560/R5tebEuXb2AAAA",
      " IQCOhVYT8s2WOyH42UGns4PfyV75l4aPUt9XP5orNrwtVw==",
      " -----END SSH SIGNATURE-----",
      "",
      "Signed by ecdsa 256",
      ""
    ].join("\n")
  },
  nistp384: {
    key: "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBOYLgI+9t6dyfDlTQrl96oiwairvZoxORaTXAfIvIeWCd3f7riTdVsg+EfFuMlLV6gg8GOVnTsCB1PgmDr4BCqMMEzLAShCRD1OkEHMTITPLhgxKOdUtUotC52s1fhvxTg== signer",
    content: [
      "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      "author Signer <signer@example.com> 1700000000 +0000",
      "committer Signer <signer@example.com> 1700000000 +0000",
      "gpgsig -----BEGIN SSH SIGNATURE-----",
      " U1NIU0lHAAAAAQAAAIgAAAATZWNkc2Etc2hhMi1uaXN0cDM4NAAAAAhuaXN0cDM4NAAAAG",
      " EE5guAj723p3J8OVNCuX3qiLBqKu9mjE5FpNcB8i8h5YJ3d/uuJN1WyD4R8W4yUtXqCDwY",
      " 5WdOwIHU+CYOvgEKowwTMsBKEJEPU6QQcxMhM8uGDEo51S1Si0LnazV+G/FOAAAAA2dpdA",
      " AAAAAAAAAGc2hhNTEyAAAAgwAAABNlY2RzYS1zaGEyLW5pc3RwMzg0AAAAaAAAADAtmEjX",
      " 7/Bk8n+5jHyRA0P/EaAy5YOlNqpD28GoAWcsq34zZcqnFwFI4+qi0FTxLFcAAAAwOO9v9r",
      " r3N5etr/fQ47OSPErPTH9NTiY7dasttEsQRLjSV1xACWd370CW+vV5cLoy",
      " -----END SSH SIGNATURE-----",
      "",
      "Signed by ecdsa 384",
      ""
    ].join("\n")
  },
  nistp521: {
    key: "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBABjlhs6/pnWkkuYyKtPWaKqheSiAyjStHX40jruz+xvSey+A18EITcUXKbeclbgQciO8ZpFPUW9uUzdptNewthbyQBbaPYT3O1web6aOkgvqOW2RphKiaKyIGjyLekjkCGqoy+Kc/x9pYvSLUw5LDw0kjwpgq/TU+6j6GsbsDY/PpsN5A== signer",
    content: [
      "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      "author Signer <signer@example.com> 1700000000 +0000",
      "committer Signer <signer@example.com> 1700000000 +0000",
      "gpgsig -----BEGIN SSH SIGNATURE-----",
      " U1NIU0lHAAAAAQAAAKwAAAATZWNkc2Etc2hhMi1uaXN0cDUyMQAAAAhuaXN0cDUyMQAAAI",
      " UEAGOWGzr+mdaSS5jIq09ZoqqF5KIDKNK0dfjSOu7P7G9J7L4DXwQhNxRcpt5yVuBByI7x",
      " mkU9Rb25TN2m017C2FvJAFto9hPc7XB5vpo6SC+o5bZGmEqJorIgaPIt6SOQIaqjL4pz/H",
      " 2li9ItTDksPDSSPCmCr9NT7qPoaxuwNj8+mw3kAAAAA2dpdAAAAAAAAAAGc2hhNTEyAAAA",
      " pQAAABNlY2RzYS1zaGEyLW5pc3RwNTIxAAAAigAAAEEMnBnRVj74fxl251z2CX55v9JUdv",
      " c3OOqaiSDP9Sx1HydMnV/k64TdoBQZmwcbNHew6u5supFujfOEq+/6ael1HAAAAEEDRRuP",
      " +HXCB8IGpHAh8sus0zqPrWByQTPyb3c0/AiQkG5bdezILUwBLBmd8h9s+jxVxDrlQ1dkeH",
      " uRGmY70G7RsQ==",
      " -----END SSH SIGNATURE-----",
      "",
      "Signed by ecdsa 521",
      ""
    ].join("\n")
  }
}

export const pgpSigned = [
  "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  "author Signer <signer@example.com> 1700000000 +0000",
  "committer Signer <signer@example.com> 1700000000 +0000",
  "gpgsig -----BEGIN PGP SIGNATURE-----",
  " ",
  " iHUEABYIAB0WIQR92TLMSP3XJPQEC/FEECKvgIOMngUCawIuygAKCRBEECKvgIOM",
  " ntAfAPsFfyBHRr14z5SKbtDh5BsE8AAlsHzIHMYpEp2vGPifqQD7BHDT5Qi+VE+6",
  " 0q67HUC0MSvt9BsLX97l41zq8n4T7wY=",
  " =Pkn8",
  " -----END PGP SIGNATURE-----",
  "",
  "Signed by OpenPGP",
  ""
].join("\n")
