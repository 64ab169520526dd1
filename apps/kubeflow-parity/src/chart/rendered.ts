import type { Container, PodSpec } from "@kindling/core-spec";

export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

/** An object as a chart renders it. Only the members that are compared are listed. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  /** Of a role. */
  readonly rules?: readonly PolicyRule[];
  /** Of a Deployment, a Job or a PodMonitor. */
  readonly spec?: RenderedSpec;
}

export interface RenderedSpec {
  readonly template?: { readonly spec: PodSpec };
  readonly podMetricsEndpoints?: readonly { readonly path?: string }[];
}

/** The container of the program itself, which comes first. Charts put other containers after it. */
export function mainContainer({ containers: [first, ...others] = [] }: PodSpec): [Container, Container[]] {
  if (first === undefined) throw new Error("a pod without containers");
  return [first, others];
}
