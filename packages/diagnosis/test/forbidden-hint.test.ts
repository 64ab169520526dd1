import { describe, expect, test } from "vitest";
import { forbiddenHint, roleObjects } from "../src/index.ts";

const denied = (user: string, verb: string, resource: string, group = "", where = 'in the namespace "spark"') =>
  `${resource} "x" is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;

describe("a right that is missing can be granted by the command in the hint", () => {
  test("to a user: all that a submitter needs, at once", () => {
    expect(forbiddenHint(denied("jane", "create", "pods"))).toBe(
      "correct the namespace, or let an administrator grant it: kindling rbac submitter -n spark --user=jane | kubectl apply -f -",
    );
    expect(forbiddenHint(denied("jane", "get", "pods/log"))).toMatch(/kindling rbac submitter -n spark --user=jane/);
  });

  test("to a driver's account", () => {
    expect(forbiddenHint(denied("system:serviceaccount:spark:etl", "create", "pods"), "driver")).toBe(
      "let an administrator grant it: kindling rbac driver -n spark --serviceaccount=spark:etl | kubectl apply -f -",
    );
  });

  test("for what no role of ours has, by a role named after it, which can be applied twice", () => {
    expect(forbiddenHint(denied("system:serviceaccount:ci:runner", "patch", "podgroups", "scheduling.k8s.io"))).toBe(
      "let an administrator grant it: " +
        "kubectl -n spark create role spark-patch-podgroups --verb=patch,create --resource=podgroups.scheduling.k8s.io " +
        "--dry-run=client -o yaml | kubectl apply -f -; " +
        "kubectl -n spark create rolebinding spark-patch-podgroups --role=spark-patch-podgroups " +
        "--serviceaccount=ci:runner --dry-run=client -o yaml | kubectl apply -f -",
    );
  });

  test("for tokens of one account, and not of all that the namespace has", () => {
    const message = denied("jane", "create", "serviceaccounts/token").replace(
      'serviceaccounts/token "x" is',
      'serviceaccounts "kindling-submitter" is',
    );
    expect(forbiddenHint(message)).toContain(
      "create role kindling-submitter --verb=create --resource=serviceaccounts/token --resource-name=kindling-submitter ",
    );
  });

  test("in all namespaces", () => {
    expect(forbiddenHint(denied("jane", "list", "pods", "", "at the cluster scope"))).toMatch(
      /kubectl create clusterrole spark-list-pods --verb=get,list,watch --resource=pods .*; kubectl create clusterrolebinding spark-list-pods --clusterrole=spark-list-pods --user=jane /,
    );
  });
});

test("an account that is not there is named, with the commands that make it", () => {
  const message =
    'pods "etl-driver" is forbidden: error looking up service account team/etl: serviceaccount "etl" not found';
  expect(forbiddenHint(message)).toBe(
    "correct spark.kubernetes.authenticate.driver.serviceAccountName, or make the account: " +
      "kubectl -n team create serviceaccount etl; " +
      "kindling rbac driver -n team --serviceaccount=team:etl | kubectl apply -f -",
  );
});

test("what is no missing right gets no advice to grant one", () => {
  const quota = 'pods "x" is forbidden: exceeded quota: team, requested: pods=1, used: pods=10, limited: pods=10';
  expect(forbiddenHint(quota)).toMatch(/quota is used up/);
  const limits = 'pods "x" is forbidden: failed quota: q: must specify limits.cpu for: spark-kubernetes-driver';
  expect(forbiddenHint(limits)).toMatch(/spark\.kubernetes\.driver\.limit\.cores/);
  const storage = 'pods "x" is forbidden: failed quota: q: must specify limits.ephemeral-storage for: c';
  expect(forbiddenHint(storage)).toMatch(/podTemplateFile/);
  const security = 'pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true';
  expect(forbiddenHint(security)).toMatch(/spark\.kindling\.podSecurity=restricted/);
  expect(forbiddenHint('pods "x" is forbidden: because a webhook says so')).toBeUndefined();
  expect(forbiddenHint("")).toBeUndefined();
});

test("a role and its binding are named after what they are for, and bind one subject", () => {
  const [role, binding] = roleObjects("driver", "spark", { kind: "ServiceAccount", name: "team:etl" });
  expect(role).toMatchObject({ kind: "Role", metadata: { name: "spark-driver", namespace: "spark" } });
  expect(binding).toMatchObject({
    kind: "RoleBinding",
    metadata: { name: "spark-driver-etl", namespace: "spark" },
    roleRef: { kind: "Role", name: "spark-driver" },
    subjects: [{ kind: "ServiceAccount", name: "etl", namespace: "team" }],
  });
  expect(roleObjects("submitter", "spark", { kind: "User", name: "Jane@Example.com" })[1]).toMatchObject({
    metadata: { name: "spark-submitter-jane-example.com" },
    subjects: [{ kind: "User", name: "Jane@Example.com", apiGroup: "rbac.authorization.k8s.io" }],
  });
});
