import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestInstallation } from "../clusters/installation.ts";
import { kindling } from "../clusters/kindling.ts";
import { stagingSetup } from "../clusters/staging.ts";
import { SHORT_LIVED, sparkImage, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const setup = stagingSetup();
const version = SPARK_VERSIONS.at(-1) ?? "";
const PROGRAM = `
import hashlib, sys
with open(sys.argv[1], "rb") as data:
    print("DIGEST", hashlib.sha256(data.read()).hexdigest()[:16])
`;

describe.skipIf(setup === undefined)("a submission without any setting of Kindling's", () => {
  let namespace: TestNamespace;
  let installation: TestInstallation;
  let folder: string;

  beforeAll(async () => {
    namespace = await TestNamespace.create("installation");
    installation = await TestInstallation.create(namespace, setup ?? { host: "", image: "" });
    folder = mkdtempSync(join(tmpdir(), "kindling-e2e-"));
    writeFileSync(join(folder, "digest.py"), PROGRAM);
    // Too large for one request, and larger than any buffer in between.
    writeFileSync(join(folder, "data.bin"), randomBytes(64 * 1024 * 1024));
  });
  afterAll(async () => {
    await installation.stop();
    await namespace.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const submit = (...flags: readonly string[]): ReturnType<typeof kindling> => {
    const conf = {
      "spark.kubernetes.namespace": namespace.name,
      "spark.kubernetes.container.image": sparkImage(version),
      "spark.kubernetes.driver.request.cores": "100m",
      "spark.driver.memory": "512m",
      ...SHORT_LIVED,
    };
    const given = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
    const app = ["--files", "data.bin", "digest.py", "data.bin"];
    return kindling(["submit", "--logs", ...given, ...flags, ...app], {}, folder);
  };

  test("brings files to the driver, by the API server and the installation's staging server", async () => {
    const { exit, out, err } = await submit();
    expect(err).toContain(`installation: kindling 0.1.0 in namespace ${namespace.name}`);
    expect(exit, err).toBe(0);
    expect(out).toMatch(/^DIGEST [0-9a-f]{16}$/m);
    const listed = await kindling(["staging", "ls", "-n", namespace.name, "-o", "json"]);
    expect(JSON.parse(listed.out)).toMatchObject([{ namespace: namespace.name, files: 2 }]);
  });

  test("finds it from here and from a pod", async () => {
    const { exit, out } = await submit("--check");
    expect(out).toContain(
      `ok     the staging server k8s+https://${namespace.name}/kindling-staging:10000 from this machine`,
    );
    expect(out).toMatch(/ok {5}the staging server https:\S+ from a pod: a pod fetched a file/);
    expect(exit).toBe(0);
  });

  test("has none where none is wanted", async () => {
    const { exit, err } = await submit("--conf", "spark.kindling.installation=none");
    expect([exit, err]).toEqual([1, expect.stringContaining("please specify spark.kubernetes.file.upload.path")]);
  });
});
