import { describe, expect, it } from "vitest"
import type { SettingsChanges } from "#src/clusters/events.ts"
import { domainFaults, settingsFaults } from "#src/clusters/faults.ts"
import { tidy } from "#src/clusters/settings.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"
import { pem } from "./samples.ts"

const characters = "contains invalid characters (valid characters: [a-z0-9\\-])"
const labelLength = "must be between 1 and 63 characters long"
const consecutive = "must not contain consecutive dots"

describe("domains", () => {
  it.each<[string, ReadonlyArray<string>]>([
    ["example.com", []],
    ["EXAMPLE.com", []],
    ["123.45", []],
    ["localhost", []],
    ["a_b.example.com", [characters]],
    ["ä.example.com", [characters]],
    ["-a.example.com", ["begins or ends with hyphen"]],
    ["a-.example.com", ["begins or ends with hyphen"]],
    ["a..b", [labelLength, characters, consecutive]],
    [".a", [labelLength, characters]],
    ["a.", ["must not end with a dot"]],
    ["a..", [consecutive, "must not end with a dot"]],
    [`${"a".repeat(63)}.b`, []],
    [`${"a".repeat(64)}.b`, [labelLength]],
    [`${"a.".repeat(127)}a`, []],
    [`${"a.".repeat(127)}aa`, ["must be between 1 and 255 characters long"]]
  ])("%s", (domain, texts) => {
    expect(domainFaults(domain)).toEqual(texts)
  })
})

const textsOf = (settings: SettingsChanges) => settingsFaults(settings).map(({ text }) => text)

const url = "is blocked: Only allowed schemes are http, https"
const unreadable = "is blocked: URI is invalid"
const scope = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"
const namespace = "can contain only lowercase letters, digits, and '-'. Must start with a letter, and cannot end with '-'"
const certificate = "must be a valid PEM certificate"

describe("settings", () => {
  it.each<[SettingsChanges, ReadonlyArray<string>]>([
    [{}, []],
    [{ name: "" }, [" has to be present"]],
    [{ name: "n".repeat(2049) }, [" is too long"]],
    [{ name: "\u{1f600}".repeat(2048) }, []],
    [{ environmentScope: "" }, ["can't be blank", scope, "is too short (minimum is 1 character)"]],
    [{ environmentScope: "review/*" }, []],
    [{ environmentScope: "a,b" }, [scope]],
    [{ environmentScope: "a\nb" }, [scope]],
    [{ environmentScope: "a".repeat(255) }, []],
    [{ environmentScope: "a".repeat(256) }, ["is too long (maximum is 255 characters)"]],
    [{ apiUrl: "https://k8s.example.com" }, []],
    [{ apiUrl: "HTTP://k8s.example.com:6443/path" }, []],
    [{ apiUrl: "https://10.0.0.1" }, []],
    [{ apiUrl: "http://localhost:8443" }, []],
    [{ apiUrl: "ssh://k8s.example.com" }, [url]],
    [{ apiUrl: "k8s.example.com" }, [url]],
    [{ apiUrl: "javascript:alert(1)" }, [url]],
    [{ apiUrl: "https://" }, [unreadable]],
    [{ apiUrl: "https://a b" }, [unreadable]],
    [{ apiUrl: "https://a\nb" }, [unreadable]],
    [{ apiUrl: " " }, ["must be a valid URL", "can't be blank"]],
    [{ caCert: null }, []],
    [{ caCert: pem }, []],
    [{ caCert: pem.replaceAll("\n", "\r\n") }, []],
    [{ caCert: `${pem}\n${pem}` }, []],
    [{ caCert: "abc" }, [certificate]],
    [{ caCert: "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----" }, [certificate]],
    [{ caCert: "-----BEGIN CERTIFICATE-----\n<html>\n-----END CERTIFICATE-----" }, [certificate]],
    [{ caCert: `${pem} and more` }, [certificate]],
    [{ namespace: null }, []],
    [{ namespace: "a" }, []],
    [{ namespace: "0-team" }, []],
    [{ namespace: "team-" }, [namespace]],
    [{ namespace: "-team" }, [namespace]],
    [{ namespace: "te_am" }, [namespace]],
    [{ namespace: "a".repeat(64) }, ["is too long (maximum is 63 characters)"]],
    [{ namespace: "gitlab-managed-apps" }, ["is reserved"]],
    [{ managed: true, namespace: "team" }, []]
  ])("%j", (settings, texts) => {
    expect(textsOf(settings)).toEqual(texts)
  })

  it("judges long hostile text in linear time", () => {
    const began = cpuMillis()
    settingsFaults({ caCert: `-----BEGIN CERTIFICATE-----${" a".repeat(500_000)}`, namespace: `a${"-".repeat(500_000)}` })
    expect(cpuMillis() - began).toBeLessThan(1_000)
  })
})

describe("tidying", () => {
  it("trims, folds case, and takes blank for none", () => {
    expect(tidy({ environmentScope: " prod ", domain: " ", namespace: "Team", caCert: ` ${pem}\n` })).toEqual({
      environmentScope: "prod",
      domain: null,
      namespace: "team",
      caCert: pem
    })
    expect(tidy({ namespace: "", caCert: "", name: " kept " })).toEqual({ namespace: null, caCert: null, name: " kept " })
    expect(tidy({})).toEqual({})
  })
})
