import { expect, it } from "vitest";
import { commandHelp } from "@kindling/command-line";
import { flagOf, type SettingSources } from "@kindling/service/settings";
import { SERVER_KEYS } from "../../src/config/keys/server-keys.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { quotas } from "../../src/config/quotas.ts";
import type { ServerConfig, ServerKeyName } from "../../src/config/server-config.ts";
import { USAGE } from "../../src/config/program.ts";

const NAMES = Object.keys(SERVER_KEYS) as ServerKeyName[];

function load(sources: Partial<SettingSources> & { file?: string } = {}): ServerConfig {
  const args = sources.file === undefined ? [] : ["--config", "server.properties"];
  return loadConfig({
    args: ["--auth-mode", "none", ...args, ...(sources.args ?? [])],
    env: sources.env ?? {},
    readFile: () => sources.file ?? "",
  });
}

it("has a default, or is unset, for every setting", () => {
  expect(load()).toMatchObject({
    "listen.port": 10_000,
    "store.kind": "local-disk",
    "lifecycle.unusedTtl": 1800,
    "limits.minRate": 16_384,
    "lease.maxTtl": 86_400,
    "tls.certFile": undefined,
    "quota.namespaces": [],
  });
});

it("takes flags over the environment over the file over defaults", () => {
  const file = "listen.port = 1\nlimits.uploads: 2\nlifecycle.orphanGrace 5min\n";
  const env = { KINDLING_STAGING_LISTEN_PORT: "3", KINDLING_STAGING_LIMITS_UPLOADS: "4" };
  const config = load({ file, env, args: ["--listen-port=5"] });
  expect([config["listen.port"], config["limits.uploads"], config["lifecycle.orphanGrace"]]).toEqual([5, 4, 300]);
});

it("understands the old fork's file", () => {
  const file = [
    "spark.kubernetes.resourceStagingServer.port=10001",
    "spark.kubernetes.resourceStagingServer.initialAccessExpirationTimeout=45m",
    "spark.ssl.kubernetes.resourceStagingServer.keyPem=/etc/key.pem",
    "spark.ssl.kubernetes.resourceStagingServer.serverCertPem=/etc/cert.pem",
    "spark.kubernetes.authenticate.resourceStagingServer.useServiceAccountCredentials=true",
  ].join("\n");
  expect(load({ file })).toMatchObject({
    "listen.port": 10_001,
    "lifecycle.unusedTtl": 2700,
    "tls.keyFile": "/etc/key.pem",
    "tls.certFile": "/etc/cert.pem",
  });
});

it("passes over what Kubernetes puts into the environment for Services", () => {
  const env = { KINDLING_STAGING_PORT: "tcp://10.96.0.1:10000", KINDLING_STAGING_SERVICE_HOST: "10.96.0.1" };
  expect(load({ env })["listen.port"]).toBe(10_000);
});

it.each<[Partial<SettingSources> & { file?: string }, string, RegExp]>([
  [{ args: ["--listen-prot", "1"] }, "ARGUMENT_INVALID", /Unknown option '--listen-prot'/],
  [{ args: ["--listen-port"] }, "ARGUMENT_INVALID", /--listen-port <value>' argument missing/],
  [{ args: ["--listen-port", "1", "--listen-port", "2"] }, "ARGUMENT_INVALID", /given twice/],
  [{ args: ["serve"] }, "ARGUMENT_INVALID", /serve/],
  [{ args: ["--listen-port", "70000"] }, "CONF_INVALID", /--listen-port: expected a port from 0 to 65535/],
  [{ env: { KINDLING_STAGING_LOG_LEVEL: "loud" } }, "CONF_INVALID", /KINDLING_STAGING_LOG_LEVEL: expected one of/],
  [{ file: "limits.fileBytes = much" }, "CONF_INVALID", /limits.fileBytes in server.properties: expected a size/],
  [{ file: "limit.fileBytes = 1g" }, "ARGUMENT_INVALID", /no setting in server.properties called limit.fileBytes/],
  [{ file: "a=\\u00" }, "FILE_UNPARSABLE", /server.properties:1/],
  [{ args: ["--tls-cert-file", "x"] }, "CONF_MISSING", /tls.keyFile is not set/],
  [{ args: ["--store-kind", "s3"] }, "CONF_MISSING", /store.s3.bucket is not set/],
  [{ args: ["--store-kind", "webhdfs"] }, "CONF_MISSING", /store.webhdfs.endpoints is not set/],
  [{ args: ["--auth-cache", "5min"] }, "CONF_INVALID", /at most 60s/],
  [
    { args: ["--auth-audiences", "kindling-staging,https://kubernetes.default.svc"] },
    "CONF_INVALID",
    /--auth-audiences: expected audiences of this server's own/,
  ],
  [{ args: ["--auth-submitters", "a/b"] }, "CONF_INVALID", /--auth-submitters: expected names of service accounts/],
])("refuses %j", (sources, code, message) => {
  expect(() => load(sources)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
  );
});

it("names the setting that was probably meant", () => {
  expect(() => load({ args: ["--listen-prot", "1"] })).toThrow(
    expect.objectContaining({ hint: "did you mean --listen-port?" }),
  );
});

it("wants to be told who may upload, unless nobody else can reach it", () => {
  const sources = { env: {}, readFile: () => "" };
  expect(() => loadConfig({ ...sources, args: [] })).toThrow(expect.objectContaining({ code: "CONF_MISSING" }));
  for (const host of ["127.0.0.1", "::1", "localhost", "127.1.2.3"]) {
    expect(loadConfig({ ...sources, args: ["--listen-host", host] })["auth.mode"]).toBeUndefined();
  }
  for (const mode of ["token", "mtls"]) {
    expect(() => loadConfig({ ...sources, args: ["--auth-mode", mode] })).toThrow(/auth.accessFile is not set/);
  }
});

it("takes no tokens of the API server's own audience", () => {
  const sources = { env: {}, readFile: () => "" };
  const args = ["--auth-mode", "kubernetes"];
  expect(loadConfig({ ...sources, args })["auth.audiences"]).toEqual(["kindling-staging"]);
  expect(() => loadConfig({ ...sources, args: [...args, "--auth-audiences", ""] })).toThrow(
    expect.objectContaining({
      code: "CONF_MISSING",
      message:
        "auth.audiences is not set, and tokens of the API server's own audience would give more rights than an upload needs",
    }),
  );
});

it("reads quotas by namespace, the first match first", () => {
  const quotaOf = quotas({ ...load(), "quota.default": 100, "quota.namespaces": ["team-a=1k", "team-*=2k", "free=0"] });
  expect(["team-a", "team-b", "free", "other"].map(quotaOf)).toEqual([1024, 2048, undefined, 100]);
  expect(() => quotas({ ...load(), "quota.namespaces": ["team-a"] })).toThrow(/is not namespace=size/);
});

it("has a flag in the help for each setting", () => {
  const help = commandHelp(USAGE, USAGE.name, { colors: false });
  for (const name of NAMES) expect(help).toContain(`${flagOf(name)} `);
});
