import { describe, expect, test } from "vitest";
import { caughtFrom } from "@kindling/test-kit/caught";
import type { SparkApplicationSpec } from "@kindling/spark-application";
import { applicationObjects, type ApplicationObjects } from "../../../src/resources/application-objects.ts";
import { anApplication, anOperator } from "../an-application.ts";

const ENABLED = { enabled: true, kubeSchedulerNames: ["gang-scheduler"] };

function scheduled(batchScheduler: string | undefined, spec: Partial<SparkApplicationSpec> = {}): ApplicationObjects {
  const application = anApplication({ ...spec, ...(batchScheduler !== undefined && { batchScheduler }) });
  return applicationObjects(application, anOperator({ batchScheduler: ENABLED }));
}

const groupOf = ({ objects: [owned] }: ApplicationObjects): unknown => owned?.object;

describe("which scheduler", () => {
  test("none unless the operator has any, and the application or the operator names one", () => {
    const application = anApplication({ batchScheduler: "volcano" });
    expect(applicationObjects(application, anOperator()).application).toBe(application);
    expect(scheduled(undefined).objects).toEqual([]);
    expect(scheduled("").objects).toEqual([]);
  });

  test("the operator's, if the application names none", () => {
    const operator = anOperator({ batchScheduler: { enabled: true, default: "volcano" } });
    expect(applicationObjects(anApplication(), operator).objects).toMatchObject([{ object: { kind: "PodGroup" } }]);
  });

  test("one that the operator does not know is refused", () => {
    expect(caughtFrom(() => scheduled("other"))).toMatchObject({
      name: "PreparationError",
      message: "failed during batch scheduler setup or check: failed to get scheduler other: <nil>",
    });
  });
});

describe("Volcano", () => {
  test("gets a group before the driver, which is deleted at the end", () => {
    const made = scheduled("volcano", {
      driver: { cores: 1, coreLimit: "1200m", memory: "512m" },
      executor: { coreRequest: "500m", memory: "1g", memoryOverhead: "100m", instances: 3 },
      batchSchedulerOptions: { queue: "etl", priorityClassName: "high" },
    });
    expect(made.objects).toEqual([
      {
        when: "before-driver",
        atEnd: "deleted",
        failure: "failed to process batch scheduler: failed to sync PodGroup with error",
        object: {
          apiVersion: "scheduling.volcano.sh/v1beta1",
          kind: "PodGroup",
          metadata: {
            name: "spark-pi-pg",
            namespace: "team",
            ownerReferences: [expect.objectContaining({ kind: "SparkApplication", name: "pi", controller: true })],
          },
          spec: {
            minMember: 1,
            // 512 + 384, and three times 1024 + 100.
            minResources: { cpu: "2500m", memory: "4268Mi" },
            queue: "etl",
            priorityClassName: "high",
          },
        },
      },
    ]);
    const annotations = { "scheduling.k8s.io/group-name": "spark-pi-pg" };
    expect(made.application.spec).toMatchObject({ driver: { annotations }, executor: { annotations } });
  });

  test("takes the resources that the application names", () => {
    const resources = { cpu: "7", "nvidia.com/gpu": "1" };
    expect(groupOf(scheduled("volcano", { batchSchedulerOptions: { resources } }))).toMatchObject({
      spec: { minResources: resources },
    });
  });

  test("leaves a driver in its own group", () => {
    const driver = { annotations: { "scheduling.k8s.io/group-name": "mine" } };
    const { application, objects } = scheduled("volcano", { driver });
    expect([application.spec.driver, objects]).toEqual([driver, []]);
  });
});

test("a scheduler of kube-scheduler's plugins gets a group that pods name by a label", () => {
  const made = scheduled("gang-scheduler", { executor: { cores: 2, memory: "1g", instances: 2 } });
  expect(groupOf(made)).toMatchObject({
    apiVersion: "scheduling.x-k8s.io/v1alpha1",
    metadata: { name: "pi-pg" },
    spec: { minMember: 1, minResources: { cpu: "5", memory: "4224Mi" } },
  });
  expect(made.application.metadata.labels).toEqual({ "scheduling.x-k8s.io/pod-group": "pi-pg" });
});

describe("YuniKorn", () => {
  const taskGroups = ({ application }: ApplicationObjects): unknown =>
    JSON.parse(application.spec.driver.annotations?.["yunikorn.apache.org/task-groups"] ?? "null");

  test("reads of the pods to come in annotations of the driver", () => {
    const toleration = { key: "spot", operator: "Exists" };
    const made = scheduled("yunikorn", {
      nodeSelector: { disk: "ssd" },
      driver: { cores: 1, memory: "512m", labels: { team: "data" }, nodeSelector: { role: "driver" } },
      executor: { coreRequest: "100m", memory: "2g", instances: 4, tolerations: [toleration] },
      batchSchedulerOptions: { queue: "root.default" },
    });
    expect(taskGroups(made)).toEqual([
      {
        name: "spark-driver",
        minMember: 1,
        minResource: { cpu: "1", memory: "896Mi" },
        nodeSelector: { disk: "ssd", role: "driver" },
        labels: { team: "data", queue: "root.default" },
      },
      {
        name: "spark-executor",
        minMember: 4,
        minResource: { cpu: "100m", memory: "2432Mi" },
        nodeSelector: { disk: "ssd" },
        tolerations: [toleration],
      },
    ]);
    expect(made.objects).toEqual([]);
    expect(made.application.spec).toMatchObject({
      driver: {
        schedulerName: "yunikorn",
        labels: { team: "data", queue: "root.default" },
        annotations: { "yunikorn.apache.org/task-group-name": "spark-driver" },
      },
      executor: {
        schedulerName: "yunikorn",
        labels: { queue: "root.default" },
        annotations: { "yunikorn.apache.org/task-group-name": "spark-executor" },
      },
    });
  });

  test.each([
    ["two, if nothing is said", {}, 2],
    [
      "the greatest number of a dynamic allocation",
      { instances: 1, dynamic: { minExecutors: 2, initialExecutors: 5 } },
      5,
    ],
    ["none, and no group", { instances: 0 }, undefined],
  ])("expects %s", (_, { instances, dynamic }: { instances?: number; dynamic?: object }, want) => {
    const made = scheduled("yunikorn", {
      executor: { memory: "1g", ...(instances !== undefined && { instances }) },
      ...(dynamic !== undefined && { dynamicAllocation: { enabled: true, ...dynamic } }),
    });
    expect((taskGroups(made) as { minMember: number }[])[1]?.minMember).toBe(want);
  });

  test.each<[string, Partial<SparkApplicationSpec>, string, string]>([
    ["Scala, the least overhead", { type: "Scala" }, "1408Mi", "1408Mi"],
    ["Scala, a tenth", { driver: { memory: "10g" } }, "11264Mi", "1408Mi"],
    ["Python, four tenths", { type: "Python" }, "1433Mi", "1433Mi"],
    ["a factor", { memoryOverheadFactor: "0.5" }, "1536Mi", "1536Mi"],
    ["an overhead", { driver: { memory: "1024", memoryOverhead: "1gb" } }, "2048Mi", "1408Mi"],
    ["Python's own", { type: "Python", sparkConf: { "spark.executor.pyspark.memory": "512" } }, "1433Mi", "1945Mi"],
    [
      "off the heap",
      { sparkConf: { "spark.memory.offHeap.enabled": "true", "spark.memory.offHeap.size": "1048576" } },
      "1408Mi",
      "1409Mi",
    ],
    ["not off the heap", { sparkConf: { "spark.memory.offHeap.size": "1g" } }, "1408Mi", "1408Mi"],
  ])("counts memory in Spark's units: %s", (_, spec, driver, executor) => {
    expect(taskGroups(scheduled("yunikorn", spec))).toMatchObject([
      { minResource: { memory: driver } },
      { minResource: { memory: executor } },
    ]);
  });

  test.each<[Partial<SparkApplicationSpec>, string]>([
    [{ driver: { memory: "1Gi" } }, "failed to calculate driver minResources: unable to parse byte string: 1Gi"],
    [
      { executor: { memoryOverhead: "lots" } },
      "failed to calculate executor minResources: unable to parse byte string: lots",
    ],
    [
      { driver: { coreRequest: "half" } },
      "failed to calculate driver minResources: failed to parse half: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      { memoryOverheadFactor: "ten" },
      'failed to calculate driver minResources: failed to parse memory overhead factor as float: strconv.ParseFloat: parsing "ten": invalid syntax',
    ],
  ])("is not told what cannot be read: %j", (spec, message) => {
    expect(caughtFrom(() => scheduled("yunikorn", spec))).toMatchObject({
      message: `failed to process batch scheduler: ${message}`,
    });
  });
});
