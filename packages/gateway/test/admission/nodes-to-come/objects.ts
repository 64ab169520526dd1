import type { KubeObject } from "@kindling/kube-objects";

type Fields = Readonly<Record<string, unknown>>;

let uids = 0;

/** An object of the cluster. */
export function object(
  kind: string,
  name: string,
  fields: Fields,
  labels: Readonly<Record<string, string>> = {},
): KubeObject {
  uids += 1;
  const metadata = {
    name,
    uid: `uid-${uids}`,
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
    labels,
  };
  return { apiVersion: kind === "Node" ? "v1" : "karpenter.sh/v1", kind, metadata, ...fields };
}

export interface PoolFields {
  readonly limits?: Fields;
  readonly weight?: number;
  readonly replicas?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly requirements?: readonly Fields[];
  readonly taints?: readonly Fields[];
  readonly startupTaints?: readonly Fields[];
  readonly status?: Fields;
}

export function nodePool(name: string, fields: PoolFields = {}): KubeObject {
  const { limits, weight, replicas, labels = {}, requirements = [], taints, startupTaints, status = {} } = fields;
  const spec = { limits, weight, replicas };
  const template = { metadata: { labels }, spec: { requirements, taints, startupTaints } };
  return object("NodePool", name, { spec: { ...spec, template }, status });
}

export interface ClaimFields {
  readonly pool: string;
  readonly conditions?: Readonly<Record<string, boolean>>;
  readonly requests?: Fields;
  readonly capacity?: Fields;
  readonly allocatable?: Fields;
  readonly nodeName?: string;
  readonly providerId?: string;
  readonly taints?: readonly Fields[];
  readonly requirements?: readonly Fields[];
  readonly labels?: Readonly<Record<string, string>>;
}

export function nodeClaim(name: string, fields: ClaimFields): KubeObject {
  const {
    pool,
    conditions = {},
    requests,
    capacity,
    allocatable,
    nodeName,
    providerId: providerID,
    taints,
    requirements,
    labels = {},
  } = fields;
  const list = Object.entries(conditions).map(([type, is]) => ({ type, status: is ? "True" : "False" }));
  return object(
    "NodeClaim",
    name,
    {
      spec: { taints, requirements, resources: { requests } },
      status: { capacity, allocatable, nodeName, providerID, conditions: list },
    },
    { "karpenter.sh/nodepool": pool, ...labels },
  );
}

export interface NodeFields {
  readonly capacity?: Fields;
  readonly allocatable?: Fields;
  readonly taints?: readonly Fields[];
  readonly ready?: boolean;
  readonly providerId?: string;
}

export function aNode(name: string, labels: Readonly<Record<string, string>>, fields: NodeFields = {}): KubeObject {
  const {
    allocatable = { cpu: "4", memory: "16Gi", pods: "110" },
    capacity = allocatable,
    taints,
    ready = true,
    providerId: providerID,
  } = fields;
  const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
  return object("Node", name, { spec: { taints, providerID }, status: { capacity, allocatable, conditions } }, labels);
}
