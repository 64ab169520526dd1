import { formatProperties, USUAL_NAMESPACE } from "@kindling/core-spec";
import { type KubeClient, type KubeObjectLike, resources, type ResourceType } from "@kindling/kube";
import { NAMESPACE } from "./driver-account.ts";
import { LOCALIZER_IMAGE } from "./image-sources.ts";

const NAME = "kindling-recorder";
const PORT = 8080;
const RBAC = "rbac.authorization.k8s.io";
// Named here, the start need not ask the cluster which kinds it has.
const CLUSTER_ROLES = typeOf(RBAC, "clusterroles", "ClusterRole", "cluster");
const ROLE_BINDINGS = typeOf(RBAC, "rolebindings", "RoleBinding", "namespace");
const CLUSTER_ROLE_BINDINGS = typeOf(RBAC, "clusterrolebindings", "ClusterRoleBinding", "cluster");
const ENDPOINT_SLICES = typeOf("discovery.k8s.io", "endpointslices", "EndpointSlice", "namespace");
/** Reads what is kept of the namespace of applications. */
const READER = "kindling-reader";
/** Reads all that is kept, also of namespaces that are gone. */
const READER_OF_ALL = "kindling-archive-reader";

/** The name with which pods reach the recorder, and those with which users do. */
export const RECORDER_HOSTS: readonly string[] = [`${NAME}.${USUAL_NAMESPACE}.svc`, "127.0.0.1", "localhost"];

export interface PublishedRecorder {
  /** Where it listens on this machine. */
  readonly host: string;
  readonly port: number;
  /** The version of Kindling. */
  readonly version: string;
}

/**
 * Publishes a recorder that runs in this process, as the chart publishes one that runs in a pod: commands and submissions find
 * it with the kubeconfig alone. The service leads to this process.
 */
export async function publishRecorder(client: KubeClient, recorder: PublishedRecorder): Promise<void> {
  const { host, port, version } = recorder;
  await client.create(resources.namespaces, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: USUAL_NAMESPACE },
  });
  await Promise.all(
    [service(), endpoints(host, port), ...readers()].map(([type, object]) =>
      client.create(type, object, { namespace: object.metadata?.namespace ?? USUAL_NAMESPACE }),
    ),
  );
  // It comes last: a command that finds it uses all the others.
  await client.create(resources.configmaps, installation(version), { namespace: USUAL_NAMESPACE });
}

function typeOf(group: string, plural: string, kind: string, scope: "cluster" | "namespace"): ResourceType {
  return { group, version: "v1", plural, kind, namespaced: scope === "namespace" };
}

type Published = readonly [type: ResourceType, object: KubeObjectLike];

function service(): Published {
  const object = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: NAME, namespace: USUAL_NAMESPACE },
    // Without a selector: no pod is behind it.
    ...{ spec: { ports: [{ name: "https", port: PORT }] } },
  };
  return [resources.services, object];
}

function endpoints(host: string, port: number): Published {
  const object = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: NAME, namespace: USUAL_NAMESPACE, labels: { "kubernetes.io/service-name": NAME } },
    ...{
      addressType: "IPv4",
      endpoints: [{ addresses: [host], conditions: { ready: true } }],
      ports: [{ name: "https", port }],
    },
  };
  return [ENDPOINT_SLICES, object];
}

/** The accounts that commands make tokens of. The recorder takes the right to read logs of pods as that to read what is kept. */
function readers(): readonly Published[] {
  const rights = { rules: [{ apiGroups: [""], resources: ["pods/log"], verbs: ["get"] }] };
  const role = { apiVersion: `${RBAC}/v1`, kind: "ClusterRole", metadata: { name: READER_OF_ALL }, ...rights };
  const accountOf = (name: string, namespace: string): Published => [
    resources.serviceaccounts,
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
  ];
  const bindingOf = (type: ResourceType, name: string, namespace: string): Published => [
    type,
    {
      apiVersion: `${RBAC}/v1`,
      kind: type.kind,
      metadata: { name, ...(type.namespaced && { namespace }) },
      ...{
        roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: READER_OF_ALL },
        subjects: [{ kind: "ServiceAccount", name, namespace }],
      },
    },
  ];
  return [
    [CLUSTER_ROLES, role],
    accountOf(READER, NAMESPACE),
    accountOf(READER_OF_ALL, USUAL_NAMESPACE),
    bindingOf(ROLE_BINDINGS, READER, NAMESPACE),
    bindingOf(CLUSTER_ROLE_BINDINGS, READER_OF_ALL, USUAL_NAMESPACE),
  ];
}

/** What `kindling` looks for in a cluster. */
function installation(version: string): KubeObjectLike {
  const properties = {
    "spark.kindling.recorder.uri": `k8s+https://${USUAL_NAMESPACE}/${NAME}:${PORT}`,
    "spark.kindling.eventLog": "record",
    "spark.kindling.eventLog.uri": `https://${NAME}.${USUAL_NAMESPACE}.svc:${PORT}`,
    // The recorder's certificate is from the cluster's own CA, which every namespace has in this ConfigMap.
    "spark.kindling.eventLog.caConfigMap": "kube-root-ca.crt",
    // Pods are processes of the user who has started the cluster, and that may be root.
    "spark.kindling.eventLog.runAsUser": process.getuid?.() === 0 ? "0" : "none",
    "spark.kindling.localizer.image": LOCALIZER_IMAGE,
  };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "kindling", labels: { "app.kubernetes.io/part-of": "kindling" } },
    ...{
      data: { version, "kindling.properties": formatProperties(properties, "Written by kindling dev at each start.") },
    },
  };
}
