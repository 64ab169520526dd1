import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { GatewayOptions } from "@kindling/gateway";
import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STAGED_SOURCES, TEXT } from "../clusters/applications.ts";
import { TestGateway } from "../clusters/gateway.ts";
import { kindling, submissionIdIn } from "../clusters/kindling.ts";
import { stagingSetup, TestStaging } from "../clusters/staging.ts";
import { eventually, SHORT_LIVED, sparkImage, TRIED_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const setup = stagingSetup();

/** A step as a user would write it: a Service for each executor, and the executor is told its name. */
const ADDRESSED = `export default {
  name: "addressed",
  configureExecutor(spec, { appId, executorId }) {
    const name = appId + "-" + executorId;
    const env = [...(spec.executorContainer.env ?? []), { name: "ADDRESS", value: name }];
    const selector = { "spark-app-selector": appId, "spark-exec-id": executorId };
    const service = {
      apiVersion: "v1", kind: "Service", metadata: { name }, spec: { clusterIP: "None", selector, publishNotReadyAddresses: true },
    };
    return {
      ...spec,
      executorContainer: { ...spec.executorContainer, env },
      executorKubernetesResources: [...spec.executorKubernetesResources, service],
    };
  },
};
`;

describe.skipIf(setup === undefined).each(TRIED_VERSIONS)("steps that the gateway runs, on Spark %s", (version) => {
  let namespace: TestNamespace;
  let staging: TestStaging;
  let gateway: TestGateway;
  let folder: string;

  beforeAll(async () => {
    namespace = await TestNamespace.create(`gateway-steps-${version.replaceAll(".", "-")}`);
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "nobody" } };
    await namespace.client.create(resources.serviceaccounts, account);
    const { host, image } = setup ?? { host: "", image: "" };
    staging = await TestStaging.start({ host, image });
    folder = mkdtempSync(join(tmpdir(), "kindling-e2e-"));
    const files = { "text.txt": TEXT, "addressed.py": STAGED_SOURCES.addressed, "addressed.mjs": ADDRESSED };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const module = (await import(pathToFileURL(join(folder, "addressed.mjs")).href)) as {
      default: NonNullable<GatewayOptions["steps"]>[number];
    };
    gateway = await TestGateway.start(namespace, host, { steps: [module.default] });
  });
  afterAll(async () => {
    await gateway.stop();
    await staging.stop();
    await namespace.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test("bring staged files to executors without a template, and give each a Service of its own", async () => {
    const conf = {
      "spark.kubernetes.namespace": namespace.name,
      "spark.kubernetes.container.image": sparkImage(version),
      "spark.kubernetes.authenticate.driver.serviceAccountName": "nobody",
      "spark.kubernetes.driver.request.cores": "100m",
      "spark.kubernetes.executor.request.cores": "100m",
      "spark.driver.memory": "512m",
      "spark.executor.memory": "512m",
      "spark.executor.instances": "2",
      ...SHORT_LIVED,
      "spark.kindling.sparkVersion": version,
    };
    const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
    const own = ["--steps", "./addressed.mjs", "--files", "text.txt", "--logs", "addressed.py"];
    const args = ["submit", ...flags, ...gateway.flags, ...staging.flags, ...own];
    const ended = await kindling(args, {}, folder);
    expect(ended.exit, ended.err + gateway.log.join("")).toBe(0);
    const told = ended.out.split("\n").filter((line) => line.startsWith("EXECUTOR "));
    expect(told).toEqual(["EXECUTOR 1 True 2", "EXECUTOR 2 True 2"]);
    const { items } = await namespace.client.listAll(resources.configmaps);
    expect(items.map(({ metadata }) => metadata?.name).filter((name) => name?.includes("template"))).toEqual([]);
    await namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    await eventually("an empty namespace", async () => (await namespace.leftovers()).length === 0);
  });
});
