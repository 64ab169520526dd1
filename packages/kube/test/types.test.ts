import type { V1ConfigMap, V1Container, V1OwnerReference, V1Pod } from "@kubernetes/client-node";
import type { Container, Pod } from "kubernetes-types/core/v1.js";
import type { OwnerReference } from "kubernetes-types/meta/v1.js";
import { expect, expectTypeOf, test } from "vitest";
import { resources, type KubeClient, type KubeObjectLike, type ResourceType } from "../src/index.ts";

test("client-node's objects can be written as they are", () => {
  expectTypeOf<V1Pod>().toExtend<Parameters<KubeClient["create"]>[1]>();
  expectTypeOf<V1ConfigMap>().toExtend<Parameters<KubeClient["apply"]>[1]>();
});

test("what is read has the type of its resource, which may be client-node's where somebody prefers that", () => {
  const read = (client: KubeClient): Promise<Pod> => client.get(resources.pods, "p");
  expectTypeOf(read).returns.resolves.toEqualTypeOf<Pod>();
  const theirs: ResourceType<V1Pod> = { group: "", version: "v1", plural: "pods", kind: "Pod", namespaced: true };
  const readTheirs = (client: KubeClient): Promise<V1Pod> => client.get(theirs, "p");
  expectTypeOf(readTheirs).returns.resolves.toEqualTypeOf<V1Pod>();
  expect(theirs).toEqual(resources.pods);
});

test("the parts that submitters build pass to and from client-node", () => {
  expectTypeOf<Container>().toExtend<V1Container>();
  expectTypeOf<V1Container>().toExtend<Container>();
  expectTypeOf<OwnerReference>().toExtend<V1OwnerReference>();
  expectTypeOf<V1OwnerReference>().toExtend<OwnerReference>();
  expectTypeOf<Pod>().toExtend<KubeObjectLike>();
});
