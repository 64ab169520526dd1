import type { Condition, JsonObject, KubeObject } from "@kindling/kube-objects";
import type { ResourceList } from "./pod.ts";

/** The other objects of `core/v1` that this package reads. */

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

export interface Secret extends KubeObject {
  /** Base64. */
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  immutable?: boolean;
  type?: string;
}

export interface Namespace extends KubeObject {
  spec: { finalizers?: string[] };
  status: { phase?: "Active" | "Terminating"; conditions?: Condition[] };
}

export type ServicePort = {
  name?: string;
  protocol?: string;
  port: number;
  targetPort: number | string;
  nodePort?: number;
};

export interface Service extends KubeObject {
  spec: {
    ports?: ServicePort[];
    selector?: Record<string, string>;
    clusterIP?: string;
    clusterIPs?: string[];
    type?: string;
    externalIPs?: string[];
    sessionAffinity?: string;
    loadBalancerIP?: string;
    externalTrafficPolicy?: string;
    publishNotReadyAddresses?: boolean;
    ipFamilies?: string[];
    ipFamilyPolicy?: string;
    allocateLoadBalancerNodePorts?: boolean;
    internalTrafficPolicy?: string;
  };
  status: { loadBalancer: { ingress?: { ip?: string; hostname?: string; ipMode?: string }[] } };
}

export type ObjectReference = {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
};

/** The label that says which service a slice belongs to. */
export const SERVICE_NAME = "kubernetes.io/service-name";

export type Endpoint = {
  addresses: string[];
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean };
  hostname?: string;
  targetRef?: ObjectReference;
  nodeName?: string;
};

export interface EndpointSlice extends KubeObject {
  endpoints: Endpoint[];
  ports: { name: string; port: number; protocol: string }[];
}

export interface ServiceAccount extends KubeObject {
  secrets?: ObjectReference[];
  imagePullSecrets?: { name?: string }[];
  automountServiceAccountToken?: boolean;
}

export interface PersistentVolumeClaim extends KubeObject {
  spec: {
    accessModes?: string[];
    resources: { requests?: ResourceList; limits?: ResourceList };
    volumeName?: string;
    storageClassName?: string;
    volumeMode?: string;
    selector?: JsonObject;
  };
  status: { phase?: string; accessModes?: string[]; capacity?: ResourceList; conditions?: Condition[] };
}

export interface PersistentVolume extends KubeObject {
  spec: {
    capacity?: ResourceList;
    accessModes?: string[];
    claimRef?: ObjectReference;
    persistentVolumeReclaimPolicy?: string;
    storageClassName?: string;
    volumeMode?: string;
    hostPath?: { path: string; type?: string };
    local?: { path: string };
  };
  status: { phase?: string; message?: string; reason?: string; lastPhaseTransitionTime?: string };
}

export type Taint = { key: string; value?: string; effect: string; timeAdded?: string };

export interface Node extends KubeObject {
  spec: { podCIDR?: string; podCIDRs?: string[]; unschedulable?: boolean; taints?: Taint[]; providerID?: string };
  status: {
    capacity?: ResourceList;
    allocatable?: ResourceList;
    conditions?: Condition[];
    addresses?: { type: string; address: string }[];
    daemonEndpoints: { kubeletEndpoint: { Port: number } };
    nodeInfo: Record<string, string>;
  };
}

export interface KubeEvent extends KubeObject {
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source: { component?: string; host?: string };
  firstTimestamp: string | null;
  lastTimestamp: string | null;
  eventTime: string | null;
  count?: number;
  type?: string;
  reportingComponent: string;
  reportingInstance: string;
}

export interface ResourceQuota extends KubeObject {
  spec: { hard?: ResourceList; scopes?: string[] };
  status: { hard?: ResourceList; used?: ResourceList };
}

export interface PriorityClass extends KubeObject {
  value: number;
  globalDefault?: boolean;
  preemptionPolicy?: string;
}
