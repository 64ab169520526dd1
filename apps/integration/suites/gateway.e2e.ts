import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resources } from "@kindling/kube";
import { APP_DIR, prepareApplications, WORD_COUNTS, type Fixtures } from "../clusters/applications.ts";
import { GATEWAY_HOST, TestGateway } from "../clusters/gateway.ts";
import { kindling, submissionIdIn, type Ended } from "../clusters/kindling.ts";
import { eventually, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

/** The versions that everything is tried with; `KINDLING_E2E_FULL=1` for all. */
const IN_FULL = process.env["KINDLING_E2E_FULL"] === "1" ? SPARK_VERSIONS : SPARK_VERSIONS.slice(0, 1);

describe.skipIf(GATEWAY_HOST === undefined).each(SPARK_VERSIONS)("drivers without rights, on Spark %s", (version) => {
  let namespace: TestNamespace;
  let gateway: TestGateway;
  let fixtures: Fixtures;

  beforeAll(async () => {
    namespace = await TestNamespace.create(`gateway-${version.replaceAll(".", "-")}`);
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "nobody" } };
    await namespace.client.create(resources.serviceaccounts, account);
    fixtures = await prepareApplications(namespace, version);
    gateway = await TestGateway.start(namespace, GATEWAY_HOST ?? "");
  });
  afterAll(async () => {
    await gateway.stop();
    fixtures.remove();
    await namespace.remove();
  });

  const ACCOUNT = ["--conf", "spark.kubernetes.authenticate.driver.serviceAccountName=nobody"];
  const submit = (...args: readonly string[]): Promise<Ended> =>
    kindling(["submit", ...fixtures.flags, ...gateway.flags, ...ACCOUNT, ...args]);

  /** Whether the account may do something with a resource of the namespace. */
  async function may(verb: string, resource: string): Promise<boolean> {
    const { status } = await namespace.client.request<{ readonly status: { readonly allowed: boolean } }>({
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SubjectAccessReview",
        spec: {
          user: `system:serviceaccount:${namespace.name}:nobody`,
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
    const ended = await submit("--logs", `local://${APP_DIR}/word-count.py`, `${APP_DIR}/text.txt`, "2");
    expect(ended.exit, ended.err + gateway.log.join("")).toBe(0);
    const lines = ended.out.split("\n");
    expect(lines.filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
    expect(lines).toContain("EXECUTORS 2");
    await namespace.deleteApplication(submissionIdIn(ended.err).split(":")[1] ?? "");
    await eventually("an empty namespace", async () => {
      const names = await namespace.leftovers();
      return names.filter((name) => name !== "ConfigMap/applications").length === 0;
    });
  });

  // Takes over a minute: by default on one version.
  test.skipIf(!IN_FULL.includes(version))(
    "have more and fewer executors, others for one stage, and replace those that are lost",
    async () => {
      const conf = {
        "spark.dynamicAllocation.enabled": "true",
        "spark.dynamicAllocation.shuffleTracking.enabled": "true",
        "spark.dynamicAllocation.minExecutors": "1",
        "spark.dynamicAllocation.maxExecutors": "3",
        "spark.dynamicAllocation.executorIdleTimeout": "2s",
        "spark.decommission.enabled": "true",
        "spark.executor.instances": "1",
      };
      const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
      const ended = await submit(...flags, "--logs", `local://${APP_DIR}/executors.py`);
      expect(ended.exit, ended.err + gateway.log.join("")).toBe(0);
      const told = ended.out.split("\n").filter((line) => /^(SUM|MORE|LEAST|PROFILE|LOST) /.test(line));
      expect(told).toEqual(["SUM 66", "MORE THAN ONE True", "LEAST 1", "PROFILE 14", "LOST 28"]);
    },
  );
});
