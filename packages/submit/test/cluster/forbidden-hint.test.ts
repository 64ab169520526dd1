import { describe, expect, test } from "vitest";
import { forbiddenHint } from "../../src/cluster/forbidden-hint.ts";

describe("a right that is missing can be granted by the commands in the hint", () => {
  test("to a user, in a namespace", () => {
    const message =
      'pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "spark-jobs"';
    expect(forbiddenHint(message)).toBe(
      "grant it with: kubectl -n spark-jobs create role spark-submitter --verb=create --resource=pods; " +
        "kubectl -n spark-jobs create rolebinding spark-submitter --role=spark-submitter --user=jane",
    );
  });

  test("to a service account, for a resource of a group, with what an apply needs besides", () => {
    const message =
      'networkpolicies.networking.k8s.io "x" is forbidden: User "system:serviceaccount:ci:runner" cannot patch ' +
      'resource "networkpolicies" in API group "networking.k8s.io" in the namespace "spark"';
    expect(forbiddenHint(message)).toBe(
      "grant it with: kubectl -n spark create role spark-submitter --verb=patch,create --resource=networkpolicies.networking.k8s.io; " +
        "kubectl -n spark create rolebinding spark-submitter --role=spark-submitter --serviceaccount=ci:runner",
    );
  });

  test("for the log of a pod", () => {
    const message =
      'pods "x" is forbidden: User "jane" cannot get resource "pods/log" in API group "" in the namespace "spark"';
    expect(forbiddenHint(message)).toContain("--verb=get,list,watch --resource=pods/log;");
  });

  test("for tokens of one account, and not of all that the namespace has", () => {
    const message =
      'serviceaccounts "kindling-submitter" is forbidden: User "jane" cannot create resource "serviceaccounts/token" in API group "" in the namespace "spark"';
    expect(forbiddenHint(message)).toBe(
      "grant it with: kubectl -n spark create role kindling-submitter --verb=create --resource=serviceaccounts/token --resource-name=kindling-submitter; " +
        "kubectl -n spark create rolebinding kindling-submitter --role=kindling-submitter --user=jane",
    );
  });

  test("in all namespaces", () => {
    const message = 'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope';
    expect(forbiddenHint(message)).toBe(
      "grant it with: kubectl create clusterrole spark-submitter --verb=get,list,watch --resource=pods; " +
        "kubectl create clusterrolebinding spark-submitter --clusterrole=spark-submitter --user=jane",
    );
  });
});

test("what is no missing right gets no advice to grant one", () => {
  const quota = 'pods "x" is forbidden: exceeded quota: team, requested: pods=1, used: pods=10, limited: pods=10';
  expect(forbiddenHint(quota)).toMatch(/quota is used up/);
  const security = 'pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true';
  expect(forbiddenHint(security)).toMatch(/podTemplateFile/);
  expect(forbiddenHint('pods "x" is forbidden: because a webhook says so')).toBeUndefined();
  expect(forbiddenHint("")).toBeUndefined();
});
