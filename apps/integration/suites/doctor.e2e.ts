import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { TestInstallation } from "../clusters/installation.ts";
import { kindling, type Ended } from "../clusters/kindling.ts";
import { stagingSetup } from "../clusters/staging.ts";
import { sparkImage, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const setup = stagingSetup();
const IMAGE = sparkImage(SPARK_VERSIONS.at(-1) ?? "");

interface Row {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
  readonly hint?: string;
}

describe.skipIf(setup === undefined)("kindling doctor", () => {
  let namespace: TestNamespace;
  let installation: TestInstallation;
  let folder: string;

  beforeAll(async () => {
    namespace = await TestNamespace.create("doctor");
    installation = await TestInstallation.create(namespace, setup ?? { host: "", image: "" });
    folder = mkdtempSync(join(tmpdir(), "kindling-e2e-"));
  });
  afterAll(async () => {
    await installation.stop();
    await namespace.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function doctor(
    conf: Readonly<Record<string, string>> = {},
    { flags = [], env = {} }: { readonly flags?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<{ readonly ended: Ended; readonly rows: ReadonlyMap<string, Row> }> {
    const all = {
      "spark.kubernetes.container.image": IMAGE,
      "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
      ...conf,
    };
    const given = Object.entries(all).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
    const args = ["doctor", "-n", namespace.name, "-o", "json", ...given, ...flags];
    const ended = await kindling(args, env, folder);
    const rows = JSON.parse(ended.out) as readonly Row[];
    return { ended, rows: new Map(rows.map((row) => [row.check, row])) };
  }

  test("finds a healthy installation healthy, and leaves no pod", async () => {
    const before = await podNames();
    const { ended, rows } = await doctor();
    expect([...rows.values()].filter(({ state }) => state !== "ok" && state !== "skipped")).toEqual([]);
    expect(ended.exit).toBe(0);
    for (const check of ["staging from here", "staging from a pod", "Spark's image", "drivers' account"]) {
      expect(rows.get(check)?.state, check).toBe("ok");
    }
    await expect.poll(podNames, { timeout: 30_000 }).toEqual(before);
  });

  async function podNames(): Promise<string[]> {
    const { items } = await namespace.client.listAll(resources.pods);
    return items.map(({ metadata }) => metadata?.name ?? "").toSorted();
  }

  test("tells who may not submit which rights are missing, where the cluster asks for rights", async (context) => {
    const env = { KUBECONFIG: await kubeconfigOf("kindling-submitter") };
    const { ended, rows } = await doctor({}, { env, flags: ["--no-pod"] });
    const rights = rows.get("rights");
    // An embedded cluster allows everybody everything.
    if (rights?.state === "ok") context.skip();
    expect(ended.exit).toBe(1);
    expect(rights).toMatchObject({ state: "problem", detail: expect.stringContaining("create") as string });
    expect(rights?.hint).toContain(`kindling rbac submitter -n ${namespace.name}`);
    expect(rows.get("installation")?.state).toBe("warning");
  });

  /** A kubeconfig of one of the namespace's accounts. */
  async function kubeconfigOf(account: string): Promise<string> {
    const token = await namespace.tokenOf(account);
    const config = parse(readFileSync(process.env["KUBECONFIG"] ?? "", "utf8")) as Record<string, unknown>;
    const users = (config["users"] as readonly { readonly name: string }[]).map(({ name }) => ({
      name,
      user: { token },
    }));
    const file = join(folder, "kubeconfig");
    writeFileSync(file, stringify({ ...config, users }));
    return file;
  }

  test("tells of images that nodes cannot pull, Spark's and the localizer's", async () => {
    const { ended, rows } = await doctor({
      "spark.kubernetes.container.image": "registry.invalid/spark:none",
      "spark.kindling.localizer.image": "registry.invalid/localizer:none",
    });
    expect(ended.exit).toBe(1);
    expect(rows.get("Spark's image")).toMatchObject({ state: "problem" });
    expect(rows.get("Spark's image")?.detail).toContain("registry.invalid/spark:none cannot be pulled");
    expect(rows.get("staging from a pod")).toMatchObject({ state: "problem" });
    expect(rows.get("staging from a pod")?.hint).toContain("spark.kindling.localizer.image");
  });

  test("tells of versions that do not fit", async () => {
    await installation.publish(installation.entries, "7.0.0");
    const { ended, rows } = await doctor({}, { flags: ["--no-pod"] });
    expect(ended.exit).toBe(1);
    expect(rows.get("installation")).toMatchObject({ state: "problem" });
    expect(rows.get("installation")?.detail).toContain("these do not fit");
    await installation.publish(installation.entries);
  });

  test("tells of a staging server that is away", async () => {
    await installation.staging.stop();
    const { ended, rows } = await doctor();
    expect(ended.exit).toBe(1);
    expect(rows.get("staging from here")).toMatchObject({ state: "problem" });
    expect(rows.has("staging from a pod")).toBe(false);
    expect(rows.get("Spark's image")?.state).toBe("ok");
  });
});
