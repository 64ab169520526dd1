import { readFileSync } from "node:fs";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { expect, test } from "vitest";
import { ALL_OWNED, belongings, PATIENCE, runs, submit } from "../../support/restartable.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/spark-jobs";
const GROUPS: Readonly<Record<string, string>> = {
  networkpolicies: "networking.k8s.io",
  podgroups: "scheduling.volcano.sh",
};

/** The rights in the README that restarts need, and the rights for pods that every gateway has. */
function rules(): object[] {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const [, row = ""] = /- \*\*Rights\*\*, beside those above: (.*?)\. They are/s.exec(readme) ?? [];
  const all = ["`get`, `list`, `watch`, `create`, `patch`, `delete` on `pods`", ...row.split(";")];
  const claims = "`get`, `list`, `watch` on `persistentvolumeclaims`; `get` on `configmaps`".split(";");
  return [...all, ...claims].map((part) => {
    const [verbs = "", resource = ""] = part.split(" on ");
    const name = textsIn(resource)[0] ?? "";
    return { apiGroups: [GROUPS[name] ?? ""], resources: [name], verbs: textsIn(verbs) };
  });
}

function textsIn(markdown: string): string[] {
  return [...markdown.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
}

test("the rights of the README are enough to start a driver again", async () => {
  const cluster = await TestCluster.start({ authorization: "rbac" });
  await cluster.send("POST", "/api/v1/namespaces/elsewhere/serviceaccounts", { metadata: { name: "gateway" } });
  const metadata = { name: "gateway" };
  await cluster.send("POST", `${RBAC}/roles`, { metadata, rules: rules() });
  await cluster.send("POST", `${RBAC}/rolebindings`, {
    metadata,
    subjects: [{ kind: "ServiceAccount", name: "gateway", namespace: "elsewhere" }],
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "gateway" },
  });
  const token = cluster.devCluster.serviceAccountToken("elsewhere", "gateway");
  const gateway = await startTestGateway(cluster, { token, settings: ["--cluster-namespaces", "spark-jobs"] });
  cluster.end(await submit(cluster), 1);
  await runs(cluster, 1);
  await expect.poll(() => belongings(cluster), PATIENCE).toEqual(ALL_OWNED);
  expect(gateway.lines.filter((line) => line.includes("started again yet"))).toEqual([]);
});
