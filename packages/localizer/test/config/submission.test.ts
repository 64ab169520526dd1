import type { Secret } from "@kindling/core-spec";
import { emptyDriverSpec } from "@kindling/core-spec";
import { sampleSubmission, type SampleOptions } from "@kindling/core-spec/testing";
import { LOCALIZER_KEYS, stagedDependencies, type Dependency, type StagedBundle } from "@kindling/steps";
import { expect, test } from "vitest";
import type { Limits } from "../../src/config/localizer-config.ts";
import { parseLocalizerConfig } from "../../src/config/index.ts";

const DIGEST = `sha256:${"0".repeat(64)}` as const;
const DEPENDENCIES: readonly Dependency[] = [
  { kind: "application", from: { path: "/home/me/app.py" }, name: "app/app.py" },
  { kind: "jar", from: { uri: "s3a://jars/a.jar" }, name: "jars/a.jar" },
  { kind: "jar", from: { uri: "https://repo.example/b.jar?version=1" }, name: "jars/b.jar" },
  { kind: "file", from: { path: "/home/me/d.csv" }, name: "files/d.csv", workName: "d.csv" },
  { kind: "pyFile", from: { path: "/home/me/lib.zip" }, name: "py-files/lib.zip" },
  { kind: "archive", from: { path: "/home/me/e.tgz" }, name: "archives/env", workName: "env" },
  { kind: "archive", from: { uri: "hdfs://ns1/models.tgz" }, name: "archives/models.tgz", workName: "models.tgz" },
];
const LIMIT_KEYS = LOCALIZER_KEYS.filter(({ key }) => key.startsWith("spark.kindling.localizer.limits."));
const LOCAL = DEPENDENCIES.filter(({ from }) => "path" in from).map(({ name }) => name);
const BUNDLE: StagedBundle = {
  server: "https://staging.spark.svc:10000",
  id: "b1",
  secret: "open sesame",
  ca: "PEM",
  files: Object.fromEntries(LOCAL.map((name) => [name, { digest: DIGEST, size: 3, mode: 0o600 }])),
};

/** The files that a submission writes for its pods, by the name of the Secret's entry. */
function written(bundle: StagedBundle | undefined, conf: SampleOptions["conf"] = {}): Record<string, string> {
  const dependencies = bundle === undefined ? DEPENDENCIES.filter(({ from }) => "uri" in from) : DEPENDENCIES;
  const step = stagedDependencies({ dependencies, bundle, secretName: "sample-dependencies" });
  const submission = sampleSubmission({ conf: { "spark.kindling.localizer.image": "localizer:1", ...conf } });
  const [secret] = step.configureDriver?.(emptyDriverSpec({}), submission).preKubernetesResources ?? [];
  return Object.fromEntries(
    Object.entries((secret as Secret).data ?? {}).map(([name, value]) => [
      name,
      Buffer.from(value, "base64").toString(),
    ]),
  );
}

test.each(["driver.json", "executor.json"])("what a submission writes as %s is understood whole", (entry) => {
  const source = written(BUNDLE, { "spark.kindling.localizer.credentialsSecret": "repositories" })[entry] ?? "";
  const config = parseLocalizerConfig(source, entry);
  expect(config.bundles.get("submission")).toMatchObject({
    server: "https://staging.spark.svc:10000",
    id: "b1",
    secretFile: "/var/run/secrets/kindling/dependencies/bundle-secret",
    caFile: "/var/run/secrets/kindling/dependencies/staging-ca.crt",
    protocol: "v1",
  });
  expect(config.credentialsDir).toBe("/var/run/secrets/kindling/credentials");
  expect(config.deadlineSeconds).toBe(600);
  const wanted = DEPENDENCIES.filter(({ kind }) => entry === "driver.json" || kind !== "application");
  expect(config.files.map(({ from, to, digest, unpack }) => ({ kind: from.kind, to, digest, unpack }))).toEqual(
    wanted.map(({ kind, from, name }) => ({
      kind: "path" in from ? "staged" : "remote",
      to: `/var/spark-data/${name}`,
      digest: "path" in from ? DIGEST : undefined,
      unpack: kind === "archive",
    })),
  );
});

test("so is what a submission without a staging server writes", () => {
  const config = parseLocalizerConfig(written(undefined)["driver.json"] ?? "");
  expect(config.bundles.size).toBe(0);
  expect(config.files.map(({ to }) => to)).toEqual([
    "/var/spark-data/jars/a.jar",
    "/var/spark-data/jars/b.jar",
    "/var/spark-data/archives/models.tgz",
  ]);
});

test("limits of archives are passed on as they are set, and have the defaults that are documented for them", () => {
  const limits = (conf: SampleOptions["conf"]): Partial<Limits> =>
    parseLocalizerConfig(written(BUNDLE, conf)["driver.json"] ?? "").limits;
  const documented = Object.fromEntries(LIMIT_KEYS.map(({ key, defaults }) => [key, defaults[0]?.text ?? ""]));
  expect(LIMIT_KEYS).toHaveLength(6);
  expect(limits(documented)).toEqual(limits({}));
  const set = {
    "spark.kindling.localizer.limits.maxUnpackedBytes": "20g",
    "spark.kindling.localizer.limits.absoluteLinks": "/usr, /opt/conda",
  };
  expect(limits(set)).toEqual({
    ...limits({}),
    maxUnpackedBytes: 20 * 1024 ** 3,
    absoluteLinks: ["/usr", "/opt/conda"],
  });
  const relative = { "spark.kindling.localizer.limits.absoluteLinks": "/usr,opt" };
  expect(() => limits(relative)).toThrow("a list of absolute paths");
});
