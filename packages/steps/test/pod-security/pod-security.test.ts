import type { Container, Pod, Step } from "@kindling/core-spec";
import { examineStep } from "@kindling/core-spec/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { podSecurity, podSecurityViolations, stagedDependencies } from "../../src/index.ts";
import { restrictedPod } from "../../src/pod-security/restricted-pod.ts";
import { driverPodWith, executorPodWith, type PodOptions } from "../../src/testing/pods-with.ts";

const RESTRICTED = { "spark.kindling.podSecurity": "restricted" };
const sidecar: Step = {
  name: "sidecar",
  before: ["pod-security"],
  configureDriver: (spec) => ({
    ...spec,
    driverPod: { ...spec.driverPod, spec: { ...spec.driverPod.spec, containers: [{ name: "proxy", image: "proxy" }] } },
  }),
};
const localizer = stagedDependencies({
  dependencies: [{ kind: "jar", from: { uri: "https://example.com/a.jar" }, name: "a.jar" }],
  bundle: undefined,
  secretName: "dependencies",
});

describe.each(["3.5.9", "4.3.0"])("pods of Spark %s in a restricted namespace", (sparkVersion) => {
  const options: PodOptions = {
    sparkVersion,
    conf: { ...RESTRICTED, "spark.kindling.localizer.image": "kindling/localizer:1" },
  };

  test("are refused without the step", () => {
    const plain = driverPodWith([], { sparkVersion }).pod;
    expect(podSecurityViolations(plain, "restricted")).not.toEqual([]);
    expect(podSecurityViolations(plain, "baseline")).toEqual([]);
  });

  test("are admitted with it, with the localizer and containers of other steps", () => {
    const { pod } = driverPodWith([sidecar, localizer, podSecurity], options);
    expect(podSecurityViolations(pod, "restricted")).toEqual([]);
    expect(pod.spec?.containers?.map(({ name }) => name)).toEqual(["proxy", "spark-kubernetes-driver"]);
  });

  test.each(["driver", "gateway"] as const)("are admitted as executors that the %s makes", (executorsBy) => {
    const { pod } = executorPodWith([localizer, podSecurity], { ...options, executorsBy });
    expect(podSecurityViolations(pod, "restricted")).toEqual([]);
  });

  test("keep the image's user, or get the one that is named", () => {
    expect(driverPodWith(podSecurity, options).pod.spec?.securityContext).not.toHaveProperty("runAsUser");
    const conf = { ...RESTRICTED, "spark.kindling.podSecurity.runAsUser": "1000" };
    expect(driverPodWith(podSecurity, { sparkVersion, conf }).pod.spec?.securityContext?.runAsUser).toBe(1000);
  });

  test("cannot write to the image if that is asked for, but to /tmp", () => {
    const conf = { ...RESTRICTED, "spark.kindling.podSecurity.readOnlyRootFilesystem": "true" };
    const { pod, container } = driverPodWith(podSecurity, { sparkVersion, conf });
    expect(container.securityContext?.readOnlyRootFilesystem).toBe(true);
    const mount = container.volumeMounts?.find(({ mountPath }) => mountPath === "/tmp");
    expect(pod.spec?.volumes).toContainEqual({ name: mount?.name, emptyDir: {} });
  });

  test("keep what their template says", () => {
    const template = {
      spec: {
        securityContext: { fsGroup: 7, seccompProfile: { type: "Localhost", localhostProfile: "spark.json" } },
        containers: [{ name: "spark", securityContext: { runAsUser: 5, capabilities: { add: ["NET_BIND_SERVICE"] } } }],
      },
    };
    const { pod, container } = driverPodWith(podSecurity, { ...options, template });
    expect(pod.spec?.securityContext).toEqual({ ...template.spec.securityContext, runAsNonRoot: true });
    expect(container.securityContext).toMatchObject({
      runAsUser: 5,
      capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] },
    });
  });
});

test("the step changes nothing unless the level is restricted", () => {
  for (const level of ["privileged", "baseline"]) {
    const conf = { "spark.kindling.podSecurity": level };
    expect(driverPodWith(podSecurity, { conf }).pod).toEqual(driverPodWith([], { conf }).pod);
  }
});

test("the step keeps the rules of steps", () => {
  expect(examineStep(podSecurity)).toEqual([]);
});

const containers: fc.Arbitrary<Container> = fc
  .record({
    name: fc.constantFrom("a", "b"),
    securityContext: fc.record(
      {
        runAsUser: fc.constantFrom(1, 185),
        allowPrivilegeEscalation: fc.constant(false),
        capabilities: fc.record(
          { drop: fc.subarray(["ALL", "MKNOD"]), add: fc.subarray(["NET_BIND_SERVICE"]) },
          { requiredKeys: [] },
        ),
        seccompProfile: fc.constantFrom({ type: "RuntimeDefault" }, { type: "Localhost" }),
      },
      { requiredKeys: [] },
    ),
  })
  .map((container) => container as Container);

test("every pod that the level can be had for gets it, and nothing more the second time", () => {
  const pods = fc.record({ initContainers: fc.array(containers), containers: fc.array(containers) });
  fc.assert(
    fc.property(pods, containers, fc.boolean(), (spec, container, readOnlyRootFilesystem) => {
      const options = { runAsUser: undefined, readOnlyRootFilesystem };
      const once = restrictedPod({ pod: { spec }, container }, options);
      const all = [...(once.pod.spec?.containers ?? []), once.container];
      const whole = { spec: { ...once.pod.spec, containers: all } } as Pod;
      expect(podSecurityViolations(whole, "restricted")).toEqual([]);
      expect(restrictedPod(once, options)).toEqual(once);
    }),
  );
});
