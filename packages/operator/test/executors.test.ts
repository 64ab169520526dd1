import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { OperatedCluster } from "./support/operated-cluster.ts";

const chown = (name: string, mountPath: string) => ({
  initContainers: [{ name: "owner", image: "busybox", command: ["true"], volumeMounts: [{ name, mountPath }] }],
});

const scratch = (name: string) => ({
  [`spark.kubernetes.executor.volumes.emptyDir.${name}.mount.path`]: "/scratch",
});

/** Volumes that Spark itself adds to executors, mounted by a container that is not Spark's. */
const MOUNTED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "a scratch volume of sparkConf": {
    sparkConf: scratch("spark-local-dir-1"),
    executor: chown("spark-local-dir-1", "/scratch"),
  },
  "another volume of sparkConf": { sparkConf: scratch("cache"), executor: chown("cache", "/cache") },
  "a claim that is made for each": {
    sparkConf: {
      "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.mount.path": "/data",
      "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.claimName": "OnDemand",
      "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.storageClass": "gp3",
      "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.options.sizeLimit": "1Gi",
    },
    executor: chown("data", "/data"),
  },
  "Spark's own scratch folder": { executor: chown("spark-local-dir-1", "/scratch") },
  "a secret": {
    executor: { secrets: [{ name: "keys", path: "/keys", secretType: "Generic" }], ...chown("keys-volume", "/keys") },
  },
  "the driver's configuration": { executor: chown("spark-conf-volume-exec", "/conf") },
  "by a sidecar": {
    sparkConf: scratch("spark-local-dir-1"),
    executor: {
      sidecars: [{ name: "watch", image: "busybox", volumeMounts: [{ name: "spark-local-dir-1", mountPath: "/s" }] }],
    },
  },
  "by the template": {
    sparkConf: scratch("spark-local-dir-1"),
    executor: {
      template: {
        spec: {
          containers: [{ name: "spark-kubernetes-executor" }],
          initContainers: [
            { name: "owner", image: "busybox", volumeMounts: [{ name: "spark-local-dir-1", mountPath: "/s" }] },
          ],
        },
      },
    },
  },
};

test("executors may mount what Spark itself adds to them", async () => {
  const operated = await OperatedCluster.start();
  await operated.operate();
  const cases = Object.entries(MOUNTED).map(([what, spec], index) => ({ name: `mounted-${index}`, what, spec }));
  await Promise.all(cases.map(({ name, spec }) => operated.create(name, spec)));
  await operated.create("wrong", { executor: chown("nowhere", "/scratch") });
  await eventually(async () => {
    const states = await Promise.all(
      cases.map(async ({ name, what }) => {
        const { state, errorMessage } = (await operated.application(name)).status?.applicationState ?? {};
        return { what, isRefused: state === "FAILED", errorMessage, isSubmitted: state === "RUNNING" };
      }),
    );
    expect(states).toEqual(
      cases.map(({ what }) => ({ what, isRefused: false, errorMessage: undefined, isSubmitted: true })),
    );
  });
  await operated.inState("wrong", "FAILED");
  expect((await operated.application("wrong")).status?.applicationState.errorMessage).toMatch(
    /no executor can be made: .*spec\.initContainers\[0\]\.volumeMounts\[0\]\.name: Not found: "nowhere"/,
  );
});
