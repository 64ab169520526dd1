import type { Step } from "@kindling/core-spec";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { ConfigMap, Container } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { gather, plan, type PlanInput, type SubmissionPlan } from "../../src/index.ts";
import { stillOutside } from "../fixtures/outside.ts";

/** Mounts its own configuration, and makes Spark read it. */
const mine: Step = {
  name: "mine",
  configureDriver({ driverPod, driverContainer, ...spec }) {
    const { env = [], volumeMounts = [], ...container } = driverContainer;
    return {
      ...spec,
      driverPod: {
        ...driverPod,
        spec: {
          ...driverPod.spec,
          containers: driverPod.spec?.containers ?? [],
          volumes: [...(driverPod.spec?.volumes ?? []), { name: "mine", configMap: { name: "mine" } }],
        },
      },
      driverContainer: {
        ...container,
        env: [...env, { name: "SPARK_CONF_DIR", value: "/mine" }],
        volumeMounts: [...volumeMounts, { name: "mine", mountPath: "/mine" }],
      },
    };
  },
};

async function gathered(conf: Readonly<Record<string, string>>): Promise<PlanInput> {
  const { path } = scratchFolder({ "conf/log4j2.properties": "a=b", "conf/metrics.properties": "c=d" });
  const request = {
    application: { resource: "local:///app.jar", mainClass: "Main" },
    conf: { "spark.kubernetes.container.image": "spark:4.3.0", ...conf },
  };
  const outside = stillOutside({ SPARK_CONF_DIR: `${path}/conf` }, path);
  return (await gather(request, outside, "this-machine", { connection: { kind: "none" } })).input;
}

const containerOf = ({ objects }: SubmissionPlan): Container | undefined =>
  objects.pod.spec?.containers?.find(({ name }) => name === objects.driverContainer);
const confDirs = (made: SubmissionPlan): unknown[] | undefined =>
  containerOf(made)
    ?.env?.filter(({ name }) => name === "SPARK_CONF_DIR")
    .map(({ value }) => value);
const configMapOf = ({ objects }: SubmissionPlan): ConfigMap => objects.resources.at(-1) as ConfigMap;

const GATEWAY = { "spark.kindling.scheduler": "gateway", "spark.kindling.scheduler.uri": "https://gateway.svc:8443" };

describe.each([
  ["a driver that makes its executors", {}],
  ["a driver of the gateway", GATEWAY],
])("the configuration of %s", (_, conf) => {
  test("is mounted behind all that is Spark's, whose SPARK_CONF_DIR wins over the user's", async () => {
    const made = plan(await gathered({ "spark.kubernetes.driverEnv.SPARK_CONF_DIR": "/users", ...conf }));
    expect(confDirs(made)).toEqual(["/users", "/opt/spark/conf"]);
    expect(containerOf(made)?.env?.at(-1)).toEqual({ name: "SPARK_CONF_DIR", value: "/opt/spark/conf" });
    expect(containerOf(made)?.volumeMounts?.at(-1)?.mountPath).toBe("/opt/spark/conf");
    const files = ["log4j2.properties", "metrics.properties", "spark.properties"];
    expect(made.objects.pod.spec?.volumes?.at(-1)).toEqual({
      name: "spark-conf-volume-driver",
      configMap: {
        name: configMapOf(made).metadata?.name,
        items: files.map((file) => ({ key: file, path: file, mode: 0o644 })),
      },
    });
    expect(Object.keys(configMapOf(made).data ?? {})).toEqual(expect.arrayContaining(files));
  });

  test("is the same with a step that sets SPARK_CONF_DIR, whose value comes last and counts", async () => {
    const input = await gathered(conf);
    const [plain, stepped] = [plan(input), plan(input, [mine])];
    expect(confDirs(stepped)).toEqual(["/opt/spark/conf", "/mine"]);
    expect(containerOf(stepped)?.env?.slice(0, -1)).toEqual(containerOf(plain)?.env);
    expect(containerOf(stepped)?.volumeMounts?.slice(0, -1)).toEqual(containerOf(plain)?.volumeMounts);
    expect(stepped.objects.pod.spec?.volumes?.slice(0, -1)).toEqual(plain.objects.pod.spec?.volumes);
    expect(configMapOf(stepped)).toEqual(configMapOf(plain));
  });

  test("has what a step adds to it", async () => {
    const adding: Step = {
      name: "adding",
      configureDriver: (spec) => ({ ...spec, driverSparkConf: { ...spec.driverSparkConf, "spark.added": "yes" } }),
    };
    const made = plan(await gathered(conf), [adding]);
    expect(configMapOf(made).data?.["spark.properties"]).toContain("spark.added=yes");
  });
});
