import { expect, test } from "vitest";
import { parseLocalizerConfig, resolveLocalizerConfig, type LocalizerConfig } from "../../src/config/index.ts";

const DIGEST = `sha256:${"0".repeat(64)}`;

const MINIMAL: LocalizerConfig = {
  version: 1,
  roots: ["/var/spark-data"],
  bundles: { app: { server: "https://staging.example:10000", id: "b1", secretFile: "/mnt/secrets/app" } },
  files: [{ from: { bundle: "app", file: "jars/app.jar" }, to: "/var/spark-data/jars/app.jar" }],
};

test("defaults are put in", () => {
  expect(resolveLocalizerConfig(MINIMAL)).toMatchObject({
    parallel: 4,
    deadlineSeconds: 300,
    stallSeconds: 30,
    redirectHosts: ["*"],
    terminationLog: "/dev/termination-log",
    limits: { maxUnpackedBytes: 16 * 1024 ** 3, maxUnpackedFiles: 200_000, maxRatio: 200, absoluteLinks: ["/"] },
    files: [{ from: { kind: "staged", bundle: "app", file: "jars/app.jar" }, unpack: false }],
  });
});

test("everything can be given", () => {
  const config: LocalizerConfig = {
    ...MINIMAL,
    files: [
      { from: { uri: "s3a://bucket/a b%20c.tgz" }, to: "/var/spark-data/env", digest: DIGEST, size: 12, unpack: true },
      { from: { bundle: "old" }, to: "/var/spark-data" },
      { from: { uri: "hdfs://ns1/lib/x.jar" }, to: "/var/spark-data/x.jar", mode: 0o755 },
    ],
    bundles: {
      old: { server: "http://s", id: "x", secretFile: "/s", protocol: "v0", caFile: "/ca", redirectHosts: ["h:1"] },
    },
    parallel: 64,
    deadlineSeconds: 1,
    stallSeconds: 2,
    redirectHosts: [],
    credentialsDir: "/mnt/credentials",
    s3: { endpoint: "http://minio:9000", region: "eu", pathStyle: false, profile: "p" },
    webhdfs: { ns1: ["http://nn1:9870", "http://nn2:9870"], "nn:8020": "https://httpfs:14000" },
    limits: { maxRatio: 5, maxUnpackedBytes: 6, maxUnpackedFiles: 7, absoluteLinks: ["/usr"] },
    terminationLog: "/tmp/log",
  };
  const resolved = parseLocalizerConfig(JSON.stringify(config));
  expect(resolved.files.map(({ from }) => from.kind)).toEqual(["remote", "whole-bundle", "remote"]);
  expect(resolved.webhdfs.get("nn:8020")).toEqual(["https://httpfs:14000"]);
  expect(resolved).toMatchObject({ parallel: 64, s3: config.s3, limits: config.limits, terminationLog: "/tmp/log" });
});

const file = MINIMAL.files[0];
const bundle = MINIMAL.bundles?.["app"];

test.each<[string, unknown, string]>([
  ["another version", { ...MINIMAL, version: 2 }, "version must be 1"],
  ["no version", { ...MINIMAL, version: undefined }, "version is missing"],
  ["a member that is not known", { ...MINIMAL, filez: [] }, "filez is not known"],
  ["no files", { ...MINIMAL, files: undefined }, "files is missing"],
  ["files that are no list", { ...MINIMAL, files: {} }, "files must be a list"],
  ["a file without a target", { ...MINIMAL, files: [{ from: { uri: "https://h/x" } }] }, "files[0].to is missing"],
  ["a member of a file", { ...MINIMAL, files: [{ ...file, unpak: true }] }, "files[0].unpak is not known"],
  ["a relative target", { ...MINIMAL, files: [{ ...file, to: "x" }] }, "files[0].to must be an absolute path"],
  ["a target with ..", { ...MINIMAL, files: [{ ...file, to: "/var/spark-data/../x" }] }, "files[0].to must be"],
  ["a target outside the roots", { ...MINIMAL, files: [{ ...file, to: "/etc/passwd" }] }, "not below any of roots"],
  ["a target that is a root", { ...MINIMAL, files: [{ ...file, to: "/var/spark-data" }] }, "not below any of roots"],
  ["a root with a similar name", { ...MINIMAL, files: [{ ...file, to: "/var/spark-data2/x" }] }, "not below any of"],
  ["a digest that is none", { ...MINIMAL, files: [{ ...file, digest: "sha256:AB" }] }, "files[0].digest must be"],
  ["a negative size", { ...MINIMAL, files: [{ ...file, size: -1 }] }, "files[0].size must be an integer"],
  ["set-id bits", { ...MINIMAL, files: [{ ...file, mode: 0o4755 }] }, "files[0].mode must be an integer from 0 to 511"],
  ["an unknown bundle", { ...MINIMAL, bundles: {} }, "files[0].from.bundle is app, which is not in bundles"],
  ["a bundle's path as its name", { ...MINIMAL, bundles: { "../x": bundle } }, 'bundles["../x"] must be named'],
  ["a server that is no URI", { ...MINIMAL, bundles: { app: { ...bundle, server: "staging" } } }, "http or https URI"],
  ["a password in a URI", { ...MINIMAL, bundles: { app: { ...bundle, server: "https://u:pw@h" } } }, "without user"],
  [
    "a whole bundle of v1",
    { ...MINIMAL, files: [{ ...file, from: { bundle: "app" } }] },
    "files[0].from.file is missing",
  ],
  [
    "one file of a v0 bundle",
    { ...MINIMAL, bundles: { app: { ...bundle, protocol: "v0" } } },
    "files[0].from.file cannot be given with protocol v0",
  ],
  [
    "a bundle and a URI",
    { ...MINIMAL, files: [{ ...file, from: { bundle: "app", uri: "https://h/x" } }] },
    "from.bundle is not known",
  ],
  ["no parallel", { ...MINIMAL, parallel: 0 }, "parallel must be an integer from 1 to 64"],
  ["a number as text", { ...MINIMAL, parallel: "4" }, "parallel must be an integer"],
  ["a ratio of 0", { ...MINIMAL, limits: { maxRatio: 0 } }, "limits.maxRatio must be"],
  ["a host that is none", { ...MINIMAL, redirectHosts: ["http://h"] }, "redirectHosts[0] must be a host"],
  ["a list at the top", [], "must be an object"],
])("%s is refused, and named", (_, document, problem) => {
  const parse = () => parseLocalizerConfig(JSON.stringify(document), "/etc/config.json");
  expect(parse).toThrow(problem);
  expect(parse).toThrow("/etc/config.json");
  expect(parse).toThrow(expect.objectContaining({ code: "CONF_INVALID" }));
});

test("a text that is no JSON is refused", () => {
  expect(() => parseLocalizerConfig("{", "/etc/config.json")).toThrow("/etc/config.json is no JSON");
});

test.each([
  ["ftp://h/x", "supported are http, https, s3, s3a, hdfs, webhdfs, swebhdfs; use an https address"],
  ["file:///x.jar", "has to be staged"],
  ["local:///x.jar", "needs no localizing"],
  ["gs://b/x", "S3 endpoint"],
  ["x.jar", "must be a URI with a scheme"],
  ["https://user:pw@host/x", "netrc"],
  ["https://", "is not a valid URI"],
  ["s3a://bucket", "names no file"],
  ["s3a:///key", "is not a valid URI"],
  ["hdfs://nn/x?op=OPEN", "has a query"],
  ["https://h/x#alias", "has a fragment"],
])("the URI %s is refused: %s", (uri, problem) => {
  const document = { ...MINIMAL, files: [{ from: { uri }, to: "/var/spark-data/x" }] };
  const parse = () => parseLocalizerConfig(JSON.stringify(document));
  expect(parse).toThrow(problem);
  expect(parse).not.toThrow("pw");
});

test.each([
  [["/var/spark-data/a", "/var/spark-data/a"], "files[1].to /var/spark-data/a is the target of files[0] too"],
  [["/var/spark-data/a", "/var/spark-data//a"], "is the target of files[0] too"],
  [["/var/spark-data/a", "/var/spark-data/a.part"], "is the target of files[0] too"],
  [["/var/spark-data/a", "/var/spark-data/a/b"], "files[1].to /var/spark-data/a/b is below that of files[0]"],
  [["/var/spark-data/a/b/c", "/var/spark-data/a"], "files[0].to /var/spark-data/a/b/c is below that of files[1]"],
])("targets that meet, %s, are an error that names both", (targets, problem) => {
  const files = targets.map((to) => ({ from: { uri: "https://h/x" }, to }));
  expect(() => resolveLocalizerConfig({ ...MINIMAL, files })).toThrow(problem);
});
