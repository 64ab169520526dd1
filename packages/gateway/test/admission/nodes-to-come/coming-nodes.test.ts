import { clusterNode } from "@kindling/admission";
import type { Node } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import {
  isBecomingReady,
  isOnItsWay,
  nodesOfClaims,
  withoutFirstTaints,
} from "../../../src/admission/nodes-to-come/coming-nodes.ts";
import { aNode, nodeClaim } from "./objects.ts";

const LAUNCHED = { Launched: true, Registered: false, Initialized: false };

test("a launched NodeClaim is a node to come, until its node takes pods", () => {
  const claims = [
    nodeClaim("ordered", { pool: "spark" }),
    nodeClaim("launched", { pool: "spark", conditions: LAUNCHED }),
    nodeClaim("registered", { pool: "spark", conditions: { ...LAUNCHED, Registered: true } }),
    nodeClaim("there", { pool: "spark", conditions: { Launched: true, Registered: true, Initialized: true } }),
  ];
  expect(claims.filter(isOnItsWay).map(({ metadata }) => metadata.name)).toEqual(["launched", "registered"]);
});

test("a node to come has what its NodeClaim says, less what DaemonSets will use there", () => {
  const claim = nodeClaim("claim", {
    pool: "spark",
    conditions: LAUNCHED,
    allocatable: { cpu: "7900m", memory: "30Gi" },
    taints: [{ key: "spark", effect: "NoSchedule" }],
    requirements: [
      { key: "topology.kubernetes.io/zone", operator: "In", values: ["eu-1a"] },
      { key: "kubernetes.io/arch", operator: "In", values: ["amd64", "arm64"] },
    ],
  });
  const facts = {
    nodes: [aNode("n1", {}), aNode("n2", {})],
    daemonsOn: (node: string) => ({ cpu: node === "n1" ? 300 : 100 }),
  };
  expect(nodesOfClaims([claim], facts)).toMatchObject([
    {
      name: "claim",
      isComing: true,
      labels: { "karpenter.sh/nodepool": "spark", "topology.kubernetes.io/zone": "eu-1a" },
      taints: [{ key: "spark", effect: "NoSchedule" }],
      allocatable: { cpu: 7900 },
      usedByOthers: { cpu: 200 },
    },
  ]);
});

test("a node that has joined, and that its NodeClaim does not name yet, is the same node", () => {
  const claim = nodeClaim("claim", { pool: "spark", conditions: LAUNCHED, providerId: "aws:///i-1" });
  const joined = aNode("ip-10-0-0-1", {}, { providerId: "aws:///i-1" });
  const names = (...nodes: ReturnType<typeof aNode>[]) =>
    nodesOfClaims([claim], { nodes, daemonsOn: () => ({}) }).map(({ name }) => name);
  expect([names(), names(aNode("other", {})), names(joined)]).toEqual([["claim"], ["claim"], ["ip-10-0-0-1"]]);
});

test("a young node that is not ready is coming, without the taints that it will lose", () => {
  const taints = [
    { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" },
    { key: "spark", effect: "NoSchedule" },
  ];
  const created = Date.parse("2026-01-01T00:00:00Z");
  const [young, ready] = [aNode("n", {}, { taints, ready: false }), aNode("n", {}, { taints })];
  expect([
    isBecomingReady(young, created + 60_000),
    isBecomingReady(young, created + 3_600_000),
    isBecomingReady(ready, created + 60_000),
  ]).toEqual([true, false, false]);
  const known = clusterNode(young as unknown as Node, { usedByOthers: {}, backoffUntil: undefined });
  expect(withoutFirstTaints(known)).toMatchObject({ isComing: true, taints: [{ key: "spark" }] });
});
