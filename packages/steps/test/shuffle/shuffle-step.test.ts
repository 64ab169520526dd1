import { examineStep, sampleExecutor } from "@kindling/core-spec/testing";
import { describe, expect, test } from "vitest";
import { podSecurity, podSecurityViolations, shuffleServer } from "../../src/index.ts";
import { executorPodWith } from "../../src/testing/pods-with.ts";

const KEEP = {
  "spark.kindling.shuffle": "keep",
  "spark.kindling.localizer.image": "kindling/localizer:1",
};

const podWith = (conf: Readonly<Record<string, string>> = {}) =>
  executorPodWith([shuffleServer], { sparkVersion: "4.3.0", conf: { ...KEEP, ...conf }, executorsBy: "gateway" }).pod;

describe("an executor that leaves its shuffle files behind", () => {
  test("has a server of these files in front of Spark's container, and Spark waits for it", () => {
    const [server, spark] = podWith().spec?.containers ?? [];
    expect(server).toMatchObject({
      name: "kindling-shuffle",
      image: "kindling/localizer:1",
      lifecycle: { postStart: { exec: { command: expect.arrayContaining(["wait"]) } } },
      resources: { requests: { cpu: "20m", memory: "96Mi" }, limits: { memory: "96Mi" } },
    });
    expect(spark).toMatchObject({
      name: "spark-kubernetes-executor",
      livenessProbe: { httpGet: { path: "/executor", port: 7338 } },
    });
  });

  test("shares its local directories with the server, at the same paths", () => {
    const [server, spark] = podWith({ "spark.local.dir": "/one,/two" }).spec?.containers ?? [];
    const places = (mounts: readonly { name: string; mountPath: string }[] = []): string[] =>
      mounts
        .filter(({ name }) => name.startsWith("spark-local-dir-"))
        .map(({ name, mountPath }) => `${name} ${mountPath}`);
    expect(places(server?.volumeMounts)).toEqual(["spark-local-dir-1 /one", "spark-local-dir-2 /two"]);
    expect(places(spark?.volumeMounts)).toEqual(places(server?.volumeMounts));
    expect(server?.env).toContainEqual({ name: "KINDLING_SHUFFLE_LOCAL_DIRS", value: "/one,/two" });
  });

  test.each([
    [{}, 185],
    [{ "spark.kindling.shuffle.runAsUser": "1000" }, 1000],
    [{ "spark.kindling.shuffle.runAsUser": "none" }, undefined],
  ])("has a server that runs as the user of the executor's image: %o", (conf, user) => {
    expect(podWith(conf).spec?.containers?.[0]?.securityContext?.runAsUser).toBe(user);
  });

  test("meets the level restricted of the Pod Security Standards", () => {
    const conf = { ...KEEP, "spark.kindling.podSecurity": "restricted" };
    const options = { sparkVersion: "4.3.0", conf, executorsBy: "gateway" } as const;
    const { pod } = executorPodWith([shuffleServer, podSecurity], options);
    expect(podSecurityViolations(pod, "restricted")).toEqual([]);
  });

  test("uses the port of spark.shuffle.service.port", () => {
    const [server] = podWith({ "spark.shuffle.service.port": "7400" }).spec?.containers ?? [];
    expect(server?.ports).toEqual([{ name: "shuffle", containerPort: 7400, protocol: "TCP" }]);
    expect(server?.env).toContainEqual({ name: "KINDLING_SHUFFLE_PORT", value: "7400" });
  });

  test("gives the server the executors' secret by the same reference", () => {
    const key = "spark.kubernetes.executor.secretKeyRef._SPARK_AUTH_SECRET";
    const [server] = podWith({ "spark.authenticate": "true", [key]: "seal:secret-text" }).spec?.containers ?? [];
    const secretKeyRef = { name: "seal", key: "secret-text" };
    expect(server?.env).toContainEqual({ name: "_SPARK_AUTH_SECRET", valueFrom: { secretKeyRef } });
  });

  test("has a server with the same key for TLS, and sees no other secret", () => {
    const conf = {
      "spark.ssl.rpc.enabled": "true",
      "spark.ssl.rpc.certChain": "/mnt/seal/tls.crt",
      "spark.ssl.rpc.privateKey": "/mnt/seal/tls.key",
      "spark.kubernetes.executor.secrets.seal": "/mnt/seal",
      "spark.kubernetes.executor.secrets.other": "/mnt/other",
    };
    const [server] = podWith(conf).spec?.containers ?? [];
    expect(server?.env).toContainEqual({ name: "KINDLING_SHUFFLE_TLS_CERT_FILE", value: "/mnt/seal/tls.crt" });
    expect(server?.env).toContainEqual({ name: "KINDLING_SHUFFLE_TLS_KEY_FILE", value: "/mnt/seal/tls.key" });
    const places = server?.volumeMounts?.map(({ name, mountPath, readOnly }) => `${name} ${mountPath} ${readOnly}`);
    expect(places).toContain("seal-volume /mnt/seal true");
    expect(places?.join()).not.toContain("other");
  });

  test("has a server without TLS on a Spark that has none", () => {
    const conf = { ...KEEP, "spark.ssl.rpc.enabled": "true" };
    const options = { sparkVersion: "3.5.9", conf, executorsBy: "gateway" } as const;
    const [server] = executorPodWith([shuffleServer], options).pod.spec?.containers ?? [];
    expect(JSON.stringify(server?.env)).not.toContain("TLS");
  });

  test("has a server that also serves blocks of RDDs if Spark fetches them there", () => {
    const [server] = podWith({ "spark.shuffle.service.fetch.rdd.enabled": "true" }).spec?.containers ?? [];
    expect(server?.env).toContainEqual({ name: "KINDLING_SHUFFLE_RDD_BLOCKS", value: "true" });
  });

  test("is as it was without the key", () => {
    const names = podWith({ "spark.kindling.shuffle": "native" }).spec?.containers?.map(({ name }) => name);
    expect(names).toEqual(["spark-kubernetes-executor"]);
  });
});

test("the step keeps the rules of steps", () => {
  expect(examineStep(shuffleServer, { executors: [sampleExecutor({ conf: KEEP })] })).toEqual([]);
});
