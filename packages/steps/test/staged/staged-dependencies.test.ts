import { describe, expect, test } from "vitest";
import { emptyDriverSpec, emptyExecutorSpec, type Secret } from "@kindling/core-spec";
import { examineStep, sampleExecutor, sampleSubmission, type SampleOptions } from "@kindling/core-spec/testing";
import { smallFiles, stagedDependencies, type Dependency, type StagedBundle } from "../../src/index.ts";

const DEPENDENCIES: readonly Dependency[] = [
  { kind: "application", from: { path: "/home/me/app.py" }, name: "app/app.py" },
  { kind: "jar", from: { uri: "s3a://jars/a.jar" }, name: "jars/a.jar" },
  { kind: "file", from: { path: "/home/me/d.csv" }, name: "files/d.csv", workName: "d.csv" },
  { kind: "archive", from: { path: "/home/me/e.tgz" }, name: "archives/env", workName: "env" },
];
const BUNDLE: StagedBundle = {
  server: "https://staging.spark.svc:10000",
  id: "b1",
  secret: "open sesame",
  ca: "PEM",
  files: { "files/d.csv": { digest: "sha256:00", size: 3, mode: 0o600 } },
};
const OPTIONS: SampleOptions = {
  conf: {
    "spark.kindling.localizer.image": "localizer:1",
    "spark.kindling.localizer.credentialsSecret": "repositories",
    "spark.kubernetes.driver.secrets.cloud": "/etc/cloud",
    "spark.kubernetes.driverEnv.REGION": "eu",
    "spark.kubernetes.driver.secretKeyRef.TOKEN": "cloud:token",
  },
};

const step = stagedDependencies({ dependencies: DEPENDENCIES, bundle: BUNDLE, secretName: "sample-dependencies" });
const driver = step.configureDriver?.(emptyDriverSpec({}), sampleSubmission(OPTIONS));
const executor = step.configureExecutor?.(emptyExecutorSpec(), sampleExecutor(OPTIONS));

describe("staged dependencies", () => {
  test("the step is pure, additive and deterministic", () => {
    const examination = { submissions: [sampleSubmission(OPTIONS)], executors: [sampleExecutor(OPTIONS)] };
    expect(examineStep(step, examination)).toEqual([]);
  });

  test("the Secret is made before the pod, and holds what opens the bundle", () => {
    const [secret] = driver?.preKubernetesResources ?? [];
    const data = decoded(secret as Secret);
    expect(secret).toMatchObject({ kind: "Secret", metadata: { name: "sample-dependencies", namespace: "spark" } });
    expect(data["bundle-secret"]).toBe("open sesame");
    expect(data["staging-ca.crt"]).toBe("PEM");
    expect(JSON.parse(data["driver.json"] ?? "")).toEqual({
      version: 1,
      bundles: {
        submission: {
          server: "https://staging.spark.svc:10000",
          id: "b1",
          secretFile: "/var/run/secrets/kindling/dependencies/bundle-secret",
          caFile: "/var/run/secrets/kindling/dependencies/staging-ca.crt",
        },
      },
      files: [
        { from: { bundle: "submission", file: "app/app.py" }, to: "/var/spark-data/app/app.py" },
        { from: { uri: "s3a://jars/a.jar" }, to: "/var/spark-data/jars/a.jar" },
        {
          from: { bundle: "submission", file: "files/d.csv" },
          to: "/var/spark-data/files/d.csv",
          digest: "sha256:00",
          size: 3,
          mode: 0o644,
        },
        { from: { bundle: "submission", file: "archives/env" }, to: "/var/spark-data/archives/env", unpack: true },
      ],
      roots: ["/var/spark-data"],
      deadlineSeconds: 600,
      credentialsDir: "/var/run/secrets/kindling/credentials",
    });
  });

  test("executors are spared the application", () => {
    const config = JSON.parse(decoded(driver?.preKubernetesResources[0] as Secret)["executor.json"] ?? "");
    expect(config.files.map(({ to }: { to: string }) => to)).toEqual([
      "/var/spark-data/jars/a.jar",
      "/var/spark-data/files/d.csv",
      "/var/spark-data/archives/env",
    ]);
  });

  test("only the localizer sees the secret, and what the user gives to Spark it gets too", () => {
    const [localizer] = driver?.driverPod.spec?.initContainers ?? [];
    const mounts = (localizer?.volumeMounts ?? []).map(({ name, mountPath }) => [name, mountPath]);
    expect(mounts).toContainEqual(["spark-localizer-secret", "/var/run/secrets/kindling/dependencies"]);
    expect(mounts).toContainEqual(["cloud-volume", "/etc/cloud"]);
    expect(localizer?.env).toEqual([
      { name: "REGION", value: "eu" },
      { name: "TOKEN", valueFrom: { secretKeyRef: { name: "cloud", key: "token" } } },
    ]);
    expect((driver?.driverContainer.volumeMounts ?? []).map(({ name }) => name)).not.toContain(
      "spark-localizer-secret",
    );
  });

  test.each([
    ["driver", driver?.driverContainer],
    ["executor", executor?.executorContainer],
  ])("files and archives appear in the %s's working directory", (_role, container) => {
    expect(container?.workingDir).toBe("/opt/spark/work-dir");
    expect(container?.volumeMounts).toEqual([
      { name: "spark-dependencies", mountPath: "/var/spark-data" },
      { name: "spark-dependencies", mountPath: "/opt/spark/work-dir/d.csv", subPath: "files/d.csv" },
      { name: "spark-dependencies", mountPath: "/opt/spark/work-dir/env", subPath: "archives/env" },
    ]);
  });

  test("a template's working directory stays", () => {
    const spec = { ...emptyDriverSpec({}), driverContainer: { name: "", workingDir: "/app/" } };
    const changed = step.configureDriver?.(spec, sampleSubmission(OPTIONS));
    expect(changed?.driverContainer.workingDir).toBe("/app/");
    expect(changed?.driverContainer.volumeMounts?.at(-1)?.mountPath).toBe("/app/env");
  });

  test("without the localizer's image, the key to set is named", () => {
    expect(() => step.configureDriver?.(emptyDriverSpec({}), sampleSubmission())).toThrow(
      "spark.kindling.localizer.image is not set",
    );
  });
});

describe("small files", () => {
  const bytes = new Uint8Array([1, 2, 255]);
  const small = smallFiles(
    DEPENDENCIES.filter(({ kind }) => kind !== "archive").map((dependency) => ({ ...dependency, content: bytes })),
    "sample-dependencies",
  );

  test("the step is pure, additive and deterministic", () => {
    expect(examineStep(small, { foreignKeys: ["spark.kindling.localizer.workDirectory"] })).toEqual([]);
  });

  test("they travel in a Secret that is mounted where they are looked for", () => {
    const spec = small.configureDriver?.(emptyDriverSpec({}), sampleSubmission());
    const secret = spec?.preKubernetesResources[0] as Secret;
    expect(Buffer.from(secret.data?.["file-2"] ?? "", "base64")).toEqual(Buffer.from(bytes));
    expect(spec?.driverPod.spec?.volumes).toEqual([
      {
        name: "spark-dependencies",
        secret: {
          secretName: "sample-dependencies",
          items: [
            { key: "file-0", path: "app/app.py" },
            { key: "file-1", path: "jars/a.jar" },
            { key: "file-2", path: "files/d.csv" },
          ],
        },
      },
    ]);
    expect(spec?.driverContainer.volumeMounts).toEqual([
      { name: "spark-dependencies", mountPath: "/var/spark-data", readOnly: true },
      { name: "spark-dependencies", mountPath: "/opt/spark/work-dir/d.csv", subPath: "files/d.csv" },
    ]);
  });
});

function decoded({ data = {} }: Secret): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]));
}

test.each([
  ["a read-only root file system", {}, { readOnlyRootFilesystem: true }],
  ["a group that may not write there", { runAsUser: 1000, runAsGroup: 1000 }, {}],
  ["the same, said of the container", { runAsGroup: 0 }, { runAsUser: 1000, runAsGroup: 1000 }],
])("a driver that cannot copy files has them mounted: %s", (_, ofPod, ofContainer) => {
  const file: Dependency = {
    kind: "file",
    from: { path: "/home/me/d.csv" },
    name: "files/d.csv",
    workName: "d.csv",
    inSparkFiles: true,
  };
  const conf = { ...OPTIONS.conf, "spark.files": "s3a://bucket/r.csv,local:///var/spark-data/files/d.csv" };
  const step = stagedDependencies({ dependencies: [file], bundle: BUNDLE, secretName: "sample-dependencies" });
  const before = emptyDriverSpec({});
  const templated = {
    ...before,
    driverPod: { ...before.driverPod, spec: { ...before.driverPod.spec, securityContext: ofPod } },
    driverContainer: { ...before.driverContainer, securityContext: ofContainer },
  };
  const spec = step.configureDriver?.(templated, sampleSubmission({ conf }));
  expect(spec?.driverSparkConf["spark.files"]).toBe("s3a://bucket/r.csv");
  expect(spec?.driverContainer.volumeMounts?.map(({ mountPath }) => mountPath)).toContain("/opt/spark/work-dir/d.csv");
});

test("a file of spark.files is the driver's to copy, by a file: URI, and executors have it mounted", () => {
  const files: readonly Dependency[] = [
    { kind: "file", from: { path: "/home/me/d.csv" }, name: "files/d.csv", workName: "d.csv", inSparkFiles: true },
    { kind: "file", from: { path: "/home/me/big.bin" }, name: "files/big.bin", workName: "big.bin" },
  ];
  const conf = {
    ...OPTIONS.conf,
    "spark.files": "s3a://bucket/r.csv,local:///opt/l.csv,local:///var/spark-data/files/d.csv",
  };
  const content = Buffer.from("1");
  for (const bringing of [
    stagedDependencies({ dependencies: files, bundle: BUNDLE, secretName: "sample-dependencies" }),
    smallFiles(
      files.map((file) => ({ ...file, content })),
      "sample-dependencies",
    ),
  ]) {
    const spec = bringing.configureDriver?.(emptyDriverSpec({}), sampleSubmission({ conf }));
    const made = bringing.configureExecutor?.(emptyExecutorSpec(), sampleExecutor({ conf }));
    expect(spec?.driverSparkConf["spark.files"]).toBe(
      "s3a://bucket/r.csv,local:///opt/l.csv,file:///var/spark-data/files/d.csv",
    );
    const shownIn = (container: { volumeMounts?: readonly { mountPath: string }[] } | undefined): string[] =>
      (container?.volumeMounts ?? [])
        .map(({ mountPath }) => mountPath)
        .filter((path) => path.startsWith("/opt/spark/work-dir/"));
    expect(shownIn(spec?.driverContainer)).toEqual(["/opt/spark/work-dir/big.bin"]);
    expect(shownIn(made?.executorContainer)).toEqual(["/opt/spark/work-dir/d.csv", "/opt/spark/work-dir/big.bin"]);
  }
});
