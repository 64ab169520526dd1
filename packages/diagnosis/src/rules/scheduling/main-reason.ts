import type { Role } from "../../finding.ts";
import { nodeReasons, type NodeReason } from "./node-reasons.ts";
import { REASON_KINDS, type ReasonKind } from "./reason-kinds.ts";
import { isOfControlPlane } from "./taints.ts";

/** The main reason why a pod has no node: a few words for a column, and what would help. */
export interface MainReason {
  /** As in {@link REASON_KINDS}; undefined for unknown words. */
  readonly kind: string | undefined;
  readonly word: string;
  readonly advice: string;
}

/**
 * The reason that most nodes give. A reason that concerns the pod as a whole, for example its volumes, counts for all nodes.
 * Nodes of the control plane usually accept no such pods, and count only if no other node gives a reason.
 */
export function mainReason(message: string, role: Role): MainReason {
  const all = nodeReasons(message);
  const others = all.filter(({ text }) => !isOfControlPlane(text));
  const [first] = grouped(others.length === 0 ? all : others).toSorted((a, b) => b.count - a.count);
  if (first === undefined) return unknownReason(undefined);
  const { kind, texts } = first;
  if (kind === undefined) return unknownReason(texts[0]);
  return { kind: kind.name, word: kind.word ?? ownWord(texts[0] ?? ""), advice: kind.advice(role, texts) };
}

interface Group {
  readonly kind: ReasonKind | undefined;
  readonly texts: readonly string[];
  readonly count: number;
}

function grouped(reasons: readonly NodeReason[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { count, text } of reasons) {
    const kind = REASON_KINDS.find(({ words }) => words.test(text));
    const key = kind?.name ?? text;
    const before = groups.get(key);
    const weight = count === 0 ? Number.POSITIVE_INFINITY : count;
    groups.set(key, { kind, texts: [...(before?.texts ?? []), text], count: (before?.count ?? 0) + weight });
  }
  return [...groups.values()];
}

function unknownReason(text: string | undefined): MainReason {
  return {
    kind: undefined,
    word: text === undefined ? "Unschedulable" : text.slice(0, 40),
    advice: "kubectl describe nodes shows what the nodes have",
  };
}

/** `Insufficient nvidia.com/gpu` */
function ownWord(text: string): string {
  return /^Insufficient [\w/-]+(?:\.[\w/-]+)*/.exec(text)?.[0] ?? text.slice(0, 40);
}
