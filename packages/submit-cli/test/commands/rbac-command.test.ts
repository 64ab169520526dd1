import { expect, test } from "vitest";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { kindling, kubeconfigFor } from "../fixtures/kindling-process.ts";

const NOWHERE = { env: { KUBECONFIG: "/dev/null" } };

test("prints a role for the context's namespace, as other commands take it", async () => {
  const env = { KUBECONFIG: kubeconfigFor(await TestCluster.start()) };
  const { code, stdout } = await kindling(["rbac", "driver", "--serviceaccount", "spark", "-o", "json"], { env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    items: [
      { kind: "Role", metadata: { namespace: "spark-jobs" } },
      { kind: "RoleBinding", subjects: [{ kind: "ServiceAccount", name: "spark", namespace: "spark-jobs" }] },
    ],
  });
});

test.each([
  [["driver", "--serviceaccount", "spark"], "in which namespace?"],
  [["driver", "-n", "spark"], "to whom? name one of --user, --group, --serviceaccount"],
  [
    ["driver", "-n", "spark", "--user", "a", "--group", "b"],
    "only one can be given of --user, --group, --serviceaccount",
  ],
  [["pilot", "-n", "spark", "--user", "a"], "pilot: not known; submitter or driver"],
])("%j is refused", async (args, message) => {
  const { code, stdout, stderr } = await kindling(["rbac", ...args], NOWHERE);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.split("\n")[0]).toBe(`error: ${message}`);
});
