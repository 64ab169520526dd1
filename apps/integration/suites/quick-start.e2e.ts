import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileJar, TEXT, WORD_COUNTS } from "../clusters/applications.ts";
import { IS_INSTALLED } from "../clusters/services.ts";
import { EmptyNamespace, sparkImage, TRIED_VERSIONS } from "../clusters/test-cluster.ts";
import { serveChart, type ChartRepository } from "../stack/chart-repository.ts";
import { uninstallIfThere } from "../stack/helm.ts";
import { IMAGE_TAG } from "../stack/installed.ts";
import { Typist } from "../stack/typist.ts";

describe.skipIf(!IS_INSTALLED).each(TRIED_VERSIONS)("from an empty namespace, on Spark %s", (version) => {
  const compiled = compileJar(version);
  let namespace: EmptyNamespace;
  let repository: ChartRepository;
  let folder: string;

  beforeAll(async () => {
    namespace = await EmptyNamespace.create(`quick-start-${version.replaceAll(".", "-")}`);
    repository = await serveChart(IMAGE_TAG);
    folder = mkdtempSync(join(tmpdir(), "kindling-e2e-"));
  });
  afterAll(async () => {
    await repository.stop();
    await uninstallIfThere("kindling", namespace.name);
    await namespace.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Whether claims get a volume automatically. */
  async function hasVolumes(): Promise<boolean> {
    const storageClasses = await namespace.client.resourceFor("storage.k8s.io/v1", "StorageClass");
    const { items } = await namespace.client.listAll(storageClasses);
    return items.some(
      ({ metadata }) => metadata?.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true",
    );
  }

  test.skipIf("reason" in compiled)(
    "three commands lead to the result of a jar of one's own disk",
    async () => {
      if ("reason" in compiled) return;
      writeFileSync(join(folder, "word-count.jar"), compiled.jar);
      writeFileSync(join(folder, "text.txt"), TEXT);
      const typist = new Typist(folder);
      // Test clusters are small; some cannot make volumes.
      const small = {
        "spark.kubernetes.driver.request.cores": "100m",
        "spark.kubernetes.executor.request.cores": "100m",
      };
      const conf = {
        ...small,
        "spark.kubernetes.container.image": sparkImage(version),
        "spark.kubernetes.executor.deleteOnTermination": "false",
      };
      const flags = Object.entries(conf).map(([key, value]) => `--conf ${key}=${value}`);
      const volume = (await hasVolumes()) ? "" : " --set staging.storage.kind=emptyDir";

      await typist.type(`helm repo add kindling ${repository.url}`);
      await typist.type(`helm install kindling kindling/kindling -n ${namespace.name}${volume} --wait --timeout 4m`);
      const out = await typist.type(
        `kindling submit -n ${namespace.name} ${flags.join(" ")} --num-executors 2 --files text.txt --logs word-count.jar text.txt 2>&1`,
      );

      expect(typist.typed.length).toBeLessThanOrEqual(3);
      expect(
        out.split("\n").filter((line) => line.startsWith("COUNT ")),
        out,
      ).toEqual(WORD_COUNTS);
      expect(out).toMatch(new RegExp(`installation: kindling ${IMAGE_TAG} in namespace ${namespace.name}`));
      const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role=executor" });
      expect(items.map(({ status }) => status?.phase)).toHaveLength(2);

      // The result of the chart's own test.
      expect(await typist.type(`helm test kindling -n ${namespace.name}`)).toMatch(/^Phase: +Succeeded$/m);
    },
    600_000,
  );
});
