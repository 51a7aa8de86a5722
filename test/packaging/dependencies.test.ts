import { expect, it } from "vitest"
import manifest from "../../package.json" with { type: "json" }
import lock from "../../package-lock.json" with { type: "json" }
import peers from "../../scripts/bench/peers/package.json" with { type: "json" }

it("every dependency is one version, also those of the benchmark", () => {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.overrides, ...peers.dependencies }
  expect(Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
})

it("exactly the packages that run something when they are installed are allowed to", () => {
  const scripted = Object.entries(lock.packages).filter(([, installed]) => "hasInstallScript" in installed)
  const names = scripted.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length))
  expect(names.toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted())
})
