import { confType, optionalConfKey, type Step } from "@kindling/core-spec";
import { describe, expect, test } from "vitest";
import { driverPodWith, executorPodWith } from "../../src/testing/pods-with.ts";

const COLOUR = optionalConfKey({
  key: "spark.kindling.test.colour",
  type: confType.text,
  readBy: ["submit"],
  doc: "A colour.",
});

const SECRET = optionalConfKey({
  key: "spark.kindling.test.secret",
  type: confType.text,
  readBy: ["submit"],
  doc: "A secret.",
  secret: true,
});

/** Shows the driver's and the executor's configuration values in their pods. */
const painted: Step = {
  name: "painted",
  keys: [COLOUR, SECRET],
  configureDriver(spec, { conf }) {
    const env = [...(spec.driverContainer.env ?? []), { name: "COLOUR", value: conf.get(COLOUR) ?? "none" }];
    return { ...spec, driverContainer: { ...spec.driverContainer, env } };
  },
  configureExecutor(spec, { conf }) {
    const said = [conf.get(COLOUR) ?? "none", conf.get(SECRET) ?? "untold"].join(" ");
    const env = [...(spec.executorContainer.env ?? []), { name: "COLOUR", value: said }];
    return { ...spec, executorContainer: { ...spec.executorContainer, env } };
  },
};

const addressed: Step = {
  name: "addressed",
  configureExecutor(spec, { executorId }) {
    const annotations = { ...spec.executorPod.metadata?.annotations, id: executorId };
    return { ...spec, executorPod: { ...spec.executorPod, metadata: { ...spec.executorPod.metadata, annotations } } };
  },
};

const conf = { "spark.kindling.test.colour": "red", "spark.kindling.test.secret": "s3cret" };
const colourOf = ({ env = [] }: { env?: readonly { name: string; value?: string }[] }): string | undefined =>
  env.find(({ name }) => name === "COLOUR")?.value;

describe.each(["3.5.9", "4.3.0"])("pods of Spark %s", (sparkVersion) => {
  test("have what Spark's own steps make, and what the step adds", () => {
    const { pod, container, resources, sparkConf } = driverPodWith(painted, { sparkVersion, conf });
    expect(colourOf(container)).toBe("red");
    expect(container.name).toBe("spark-kubernetes-driver");
    expect(pod.spec?.containers).toEqual([container].map((one) => expect.objectContaining({ name: one.name })));
    expect(resources.map(({ kind }) => kind)).toContain("Service");
    expect(sparkConf["spark.kubernetes.driver.pod.name"]).toBe(pod.metadata?.name);
  });

  test("of executors that the driver makes have it by the template", () => {
    const { pod, container } = executorPodWith(painted, { sparkVersion, conf });
    expect(colourOf(container)).toBe("red s3cret");
    expect(container.name).toBe("spark-kubernetes-executor");
    expect(pod.metadata?.labels?.["spark-role"]).toBe("executor");
  });

  test("of executors that the gateway makes have it by the handover, but for secrets", () => {
    const { container } = executorPodWith(painted, { sparkVersion, conf, executorsBy: "gateway" });
    expect(colourOf(container)).toBe("red untold");
  });
});

test("a driver of the gateway has no token of the API server", () => {
  const { pod } = driverPodWith([], { executorsBy: "gateway" });
  expect(pod.spec?.automountServiceAccountToken).toBe(false);
});

test("what no template can say is refused, and done by the gateway", () => {
  expect(() => executorPodWith(addressed)).toThrow("which a pod template cannot say");
  const { pod } = executorPodWith(addressed, { executorsBy: "gateway", executorId: "7" });
  expect(pod.metadata?.annotations?.["id"]).toBe("7");
});

test("a template is what both start from", () => {
  const template = { spec: { nodeSelector: { pool: "spark" } } };
  expect(driverPodWith([], { template }).pod.spec?.nodeSelector).toEqual({ pool: "spark" });
  expect(executorPodWith([], { template }).pod.spec?.nodeSelector).toEqual({ pool: "spark" });
});
