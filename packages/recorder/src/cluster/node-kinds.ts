import { SPOT_NODE_LABELS } from "@kindling/core-spec";
import type { Node } from "kubernetes-types/core/v1.js";

/** What a node costs depends on this. */
export interface NodeKind {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly type: string | undefined;
  /** Whether the node may be taken away at any time. */
  readonly isSpot: boolean;
}

const TYPE = ["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"];

export function nodeKind({ metadata }: Node): NodeKind | undefined {
  const { name, uid, resourceVersion = "", labels = {} } = metadata ?? {};
  if (name === undefined || uid === undefined) return undefined;
  return {
    ...{ name, uid, resourceVersion },
    type: TYPE.flatMap((key) => labels[key] ?? [])[0],
    isSpot: SPOT_NODE_LABELS.some(({ key, value }) => labels[key] === value),
  };
}
