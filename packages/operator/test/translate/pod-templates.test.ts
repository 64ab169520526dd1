import { expect, it } from "vitest";
import { translated } from "./an-application.ts";

const OWNER = {
  apiVersion: "sparkoperator.k8s.io/v1beta2",
  kind: "SparkApplication",
  name: "pi",
  uid: "0c8e5a6e-8a3b-4a33-a8b3-5a4d0f0f0c11",
  controller: true,
  blockOwnerDeletion: true,
};

it("binds the driver to the application, with a template or without one", () => {
  const spec = { containers: [{ name: "spark-kubernetes-driver", image: "own" }] };
  const other = { ...OWNER, kind: "Other", uid: "1", controller: false };
  const template = { metadata: { labels: { a: "b" }, ownerReferences: [other] }, spec };
  expect(translated().driverTemplate).toMatchObject({
    metadata: { ownerReferences: [OWNER] },
    spec: { containers: [{ name: "spark-kubernetes-driver" }] },
  });
  expect(translated({ driver: { template } }).driverTemplate).toMatchObject({
    metadata: { labels: { a: "b" }, ownerReferences: [other, OWNER] },
    spec,
  });
});

it("binds it only once", () => {
  const template = { metadata: { ownerReferences: [OWNER] }, spec: { containers: [] } };
  expect(translated({ driver: { template } }).driverTemplate?.metadata?.ownerReferences).toEqual([OWNER]);
});

it("leaves executors to go with their driver", () => {
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [] } };
  expect(translated().executorTemplate).toBeUndefined();
  expect(translated({ executor: { template } }).executorTemplate).toEqual(template);
});
