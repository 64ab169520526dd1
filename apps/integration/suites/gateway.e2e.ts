import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR, WORD_COUNTS } from "../clusters/applications.ts";
import { GatewayDrivers, NOBODY } from "../clusters/gateway-drivers.ts";
import { submissionIdIn } from "../clusters/kindling.ts";
import { HAS_GATEWAY } from "../clusters/services.ts";
import { eventually, isTriedInFull, TRIED_VERSIONS } from "../clusters/test-cluster.ts";

describe.skipIf(!HAS_GATEWAY).each(TRIED_VERSIONS)("drivers without rights, on Spark %s", (version) => {
  let drivers: GatewayDrivers;

  beforeAll(async () => {
    drivers = await GatewayDrivers.start("gateway", version);
  });
  afterAll(async () => {
    await drivers.stop();
  });

  /** Whether the account may do something with a resource of the namespace. */
  async function may(verb: string, resource: string): Promise<boolean> {
    const { namespace } = drivers;
    const { status } = await namespace.client.request<{ readonly status: { readonly allowed: boolean } }>({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: {
          user: `system:serviceaccount:${namespace.name}:${NOBODY}`,
          groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace.name}`, "system:authenticated"],
          resourceAttributes: { namespace: namespace.name, verb, resource },
        },
      },
    });
    return status.allowed;
  }

  test("have an account that may do nothing", async () => {
    for (const resource of ["pods", "configmaps", "services", "persistentvolumeclaims", "secrets"]) {
      for (const verb of ["get", "list", "watch", "create", "patch", "delete", "deletecollection"]) {
        expect(await may(verb, resource), `${verb} ${resource}`).toBe(false);
      }
    }
  });

  test("count words on two executors", async () => {
    const { namespace } = drivers;
    const ended = await drivers.run({}, `local://${APP_DIR}/word-count.py`, `${APP_DIR}/text.txt`, "2");
    expect(ended.exit, drivers.said(ended)).toBe(0);
    const lines = ended.out.split("\n");
    expect(lines.filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
    expect(lines).toContain("EXECUTORS 2");
    // They existed before the driver asked for them.
    expect(await drivers.gateway.metric('gateway_early_executors_total{outcome="handed"}')).toBe(2);
    expect(await drivers.gateway.metric('gateway_early_executors_total{outcome="released"}')).toBe(0);
    await namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    await eventually("an empty namespace", async () => {
      const names = await namespace.leftovers();
      return names.filter((name) => name !== "ConfigMap/applications").length === 0;
    });
  });

  // Takes about a minute.
  test.skipIf(!isTriedInFull(version))("have more and fewer executors, and others for one stage", async () => {
    const conf = {
      "spark.dynamicAllocation.enabled": "true",
      "spark.dynamicAllocation.shuffleTracking.enabled": "true",
      "spark.dynamicAllocation.minExecutors": "1",
      "spark.dynamicAllocation.maxExecutors": "3",
      "spark.dynamicAllocation.executorIdleTimeout": "2s",
      "spark.decommission.enabled": "true",
      "spark.executor.instances": "1",
    };
    const ended = await drivers.run(conf, `local://${APP_DIR}/executors.py`);
    expect(ended.exit, drivers.said(ended)).toBe(0);
    const told = ended.out.split("\n").filter((line) => /^(SUM|MORE|LEAST|PROFILE) /.test(line));
    expect(told, drivers.said(ended)).toEqual(["SUM 66", "MORE THAN ONE True", "LEAST 1", "PROFILE 14"]);
  });
});
