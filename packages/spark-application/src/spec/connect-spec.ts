import type { ObjectMeta, Pod, Service } from "@kindling/core-spec";
import { fields, map, open, required, text, whole, type MembersOf, type Shape } from "../shapes/shape.ts";
import { DYNAMIC_ALLOCATION, type DynamicAllocation } from "./dynamic-allocation.ts";
import { TEMPLATE } from "./pod-parts.ts";

export interface SparkConnectSpec {
  readonly sparkVersion: string;
  readonly image?: string;
  readonly hadoopConf?: Readonly<Record<string, string>>;
  readonly sparkConf?: Readonly<Record<string, string>>;
  readonly server: ConnectServerSpec;
  readonly executor: ConnectExecutorSpec;
  readonly dynamicAllocation?: DynamicAllocation;
}

/** The fields that server and executors have in common (kubeflow/spark-operator v2.5.2, api/v1alpha1, `SparkPodSpec`). */
export interface ConnectPodSpec {
  readonly cores?: number;
  /** In Spark's units: `512m`, `2g`. */
  readonly memory?: string;
  readonly template?: Pod;
}

export interface ConnectServerSpec extends ConnectPodSpec {
  /** What the service of the server has besides its ports. */
  readonly service?: ServiceTemplate;
}

/** A service as users write it: kind and version may be absent. */
export interface ServiceTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec?: Service["spec"];
}

export interface ConnectExecutorSpec extends ConnectPodSpec {
  readonly instances?: number;
}

/** Used instead of an unreadable spec: the validation refuses it, and its faults say why. */
export const EMPTY_CONNECT_SPEC: SparkConnectSpec = { sparkVersion: "", server: {}, executor: {} };

const POD: MembersOf<ConnectPodSpec> = {
  cores: whole(32, { minimum: 1 }),
  memory: text(),
  template: TEMPLATE,
};

const SERVICE = open<ServiceTemplate>({
  metadata: open<ObjectMeta>({ name: text(), labels: map(text()), annotations: map(text()) }),
  spec: open<Service["spec"]>({ selector: map(text()) }),
});

export const CONNECT_SPEC: Shape<SparkConnectSpec> = fields<SparkConnectSpec>({
  sparkVersion: required(text(), EMPTY_CONNECT_SPEC.sparkVersion),
  image: text(),
  hadoopConf: map(text()),
  sparkConf: map(text()),
  server: required(fields<ConnectServerSpec>({ ...POD, service: SERVICE }), EMPTY_CONNECT_SPEC.server),
  executor: required(
    fields<ConnectExecutorSpec>({ ...POD, instances: whole(32, { minimum: 0 }) }),
    EMPTY_CONNECT_SPEC.executor,
  ),
  dynamicAllocation: DYNAMIC_ALLOCATION,
});
