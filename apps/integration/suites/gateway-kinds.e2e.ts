import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources, type ResourceType } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR, WORD_COUNTS } from "../clusters/applications.ts";
import { GatewayDrivers } from "../clusters/gateway-drivers.ts";
import { HostVolumes } from "../clusters/host-volumes.ts";
import { HAS_GATEWAY } from "../clusters/services.ts";
import { ENFORCED_LEVEL, eventually, isTriedInFull, SPARK_VERSIONS, sparkImage } from "../clusters/test-cluster.ts";

/** Running executors, and the claims of drivers. */
const RUNNING: Selection = { labelSelector: "spark-role=executor", fieldSelector: "status.phase=Running" };
const CLAIMS: Selection = { labelSelector: "spark-app-selector" };

interface Selection {
  readonly labelSelector: string;
  readonly fieldSelector?: string;
}

const TRIED = !HAS_GATEWAY ? [] : SPARK_VERSIONS.filter(isTriedInFull);
// Without any version, the tests are skipped and not left out: a file without tests counts as an error.
const VERSIONS = TRIED.length === 0 ? SPARK_VERSIONS : TRIED;

describe.skipIf(TRIED.length === 0).each(VERSIONS)("through the gateway, Spark %s", (version) => {
  let drivers: GatewayDrivers;
  let volumes: HostVolumes;

  beforeAll(async () => {
    drivers = await GatewayDrivers.start("gateway-kinds", version);
    volumes = await HostVolumes.make(drivers.namespace, 2);
  });
  afterAll(async () => {
    await volumes.remove();
    await drivers.stop();
  });

  /** The names of the existing objects of a kind. */
  async function names(type: ResourceType, selection: Selection): Promise<string[]> {
    const { items } = await drivers.namespace.client.listAll(type, selection);
    return items.map(({ metadata }) => metadata?.name ?? "");
  }

  test("replaces executors that are killed, run out of memory or are deleted, with their volume", async ({ skip }) => {
    skip(ENFORCED_LEVEL !== undefined, "root opens the volume, which no level admits");
    const template = join(drivers.folder, "with-volume.yaml");
    writeFileSync(template, readFileSync(join(drivers.folder, "executor.yaml"), "utf8") + chmod(version));
    const volume = "spark.kubernetes.executor.volumes.persistentVolumeClaim.spark-local-dir-1";
    const conf = {
      "spark.executor.instances": "1",
      "spark.kubernetes.executor.podTemplateFile": template,
      "spark.kubernetes.executor.podTemplateContainerName": "spark-executor",
      [`${volume}.options.claimName`]: "OnDemand",
      [`${volume}.options.storageClass`]: volumes.storageClass,
      [`${volume}.options.sizeLimit`]: "1Gi",
      [`${volume}.mount.path`]: "/data",
      [`${volume}.mount.readOnly`]: "false",
      "spark.kubernetes.driver.ownPersistentVolumeClaim": "true",
      "spark.kubernetes.driver.reusePersistentVolumeClaim": "true",
      "spark.kubernetes.driver.waitToReusePersistentVolumeClaim": "true",
      // From 4.0 on, Spark asks for an access mode that volumes made by hand cannot provide.
      "spark.kubernetes.legacy.useReadWriteOnceAccessMode": "true",
      // A claim must be this old before it is used again.
      "spark.kubernetes.allocation.executor.timeout": "5s",
      // Only a complete list tells Spark that an executor no longer uses its claim.
      "spark.kubernetes.executor.apiPollingInterval": "2s",
    };
    const running = drivers.begin(conf, `local://${APP_DIR}/losses.py`);
    const deletion = eventually("an executor to delete", async () => {
      if (running.child.exitCode !== null || /^DELETED /m.test(running.out)) return true;
      if (!/^DELETE /m.test(running.out)) return undefined;
      const [name = ""] = await names(resources.pods, RUNNING);
      await drivers.namespace.client.delete(resources.pods, name);
      return { name, claims: await names(resources.persistentvolumeclaims, CLAIMS) };
    });
    const ended = await running.ended;
    expect(ended.exit, drivers.said(ended)).toBe(0);
    const told = ended.out.split("\n").filter((line) => /^(KILLED|OUT OF MEMORY|DELETED) /.test(line));
    expect(told, drivers.said(ended)).toEqual(["KILLED 28", "OUT OF MEMORY 28", "DELETED 28"]);
    expect(ended.out).toMatch(/exit code 137\(SIGKILL, possible container OOM\)/);
    expect(ended.out).toContain("OOMKilled");
    expect(ended.out).toMatch(/Reuse PersistentVolumeClaim/);
    expect(await deletion).toMatchObject({ name: /-exec-3$/, claims: [/-exec-1-pvc-0$/] });
    expect(await names(resources.persistentvolumeclaims, CLAIMS)).toEqual([]);
  });

  const allocators = version.startsWith("3.") ? ["statefulset"] : ["statefulset", "deployment"];
  test.each(allocators)("counts words on the executors of a %s", async (allocator) => {
    const conf = { "spark.kubernetes.allocation.pods.allocator": allocator };
    const ended = await drivers.run(conf, `local://${APP_DIR}/word-count.py`, `${APP_DIR}/text.txt`, "2");
    expect(ended.exit, drivers.said(ended)).toBe(0);
    const lines = ended.out.split("\n");
    expect(lines.filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
    expect(lines).toContain("EXECUTORS 2");
    await eventually("the end of all executors", async () => (await names(resources.pods, RUNNING)).length === 0);
  });
});

/** The init container that makes an executor's volume writable for Spark's own user. */
function chmod(version: string): string {
  return `  initContainers:
    - name: open-volume
      image: ${sparkImage(version)}
      imagePullPolicy: IfNotPresent
      command: [chmod, "777", /data]
      securityContext: {runAsUser: 0}
      volumeMounts:
        - {name: spark-local-dir-1, mountPath: /data}
`;
}
