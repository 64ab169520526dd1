import { type Condition, formatTime } from "@kindling/kube-objects";
import { arch, platform } from "node:process";
import type { Api } from "@kindling/api-server";
import { BOOTSTRAP_BINDINGS, BOOTSTRAP_ROLES } from "../auth/bootstrap-roles.ts";
import { SystemWriter, type Wanted } from "../controllers/system-writer.ts";
import { PROVISIONER, STANDARD_CLASS } from "../controllers/volumes.ts";
import { READY } from "../faults/pod-faults.ts";
import { type Node, SERVICE_NAME } from "../objects/core.ts";
import type { NodeCapacity, Runtime, ServiceNetwork } from "../runtime/runtime.ts";
import type { ResolvedNode } from "./options.ts";
import { VERSION } from "./version.ts";

const NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];
const RBAC = "rbac.authorization.k8s.io";

/** Creates the objects that a cluster has from the beginning. */
export function bootstrap(api: Api): void {
  const writer = new SystemWriter(api, "kube-apiserver");
  const { types } = api;
  for (const name of NAMESPACES) writer.create(types.builtIn("namespaces"), undefined, { metadata: { name } });
  const classes = types.builtIn("priorityclasses", "scheduling.k8s.io");
  for (const [name, value] of [
    ["system-cluster-critical", 2_000_000_000],
    ["system-node-critical", 2_000_001_000],
  ] as const) {
    writer.create(classes, undefined, { metadata: { name }, value });
  }
  for (const [name, rules] of Object.entries(BOOTSTRAP_ROLES)) {
    const labels = { "kubernetes.io/bootstrapping": "rbac-defaults" };
    writer.create(types.builtIn("clusterroles", RBAC), undefined, {
      metadata: { name, labels },
      rules,
    } as unknown as Wanted);
  }
  for (const [role, groups] of Object.entries(BOOTSTRAP_BINDINGS)) {
    writer.create(types.builtIn("clusterrolebindings", RBAC), undefined, {
      metadata: { name: role, labels: { "kubernetes.io/bootstrapping": "rbac-defaults" } },
      subjects: groups.map((name) => ({ kind: "Group", apiGroup: RBAC, name })),
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: role },
    });
  }
  writer.create(types.builtIn("storageclasses", "storage.k8s.io"), undefined, {
    metadata: { name: STANDARD_CLASS, annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: PROVISIONER,
  });
}

/** Creates the service with which pods find the API server, and its endpoint. */
export function publishApi(api: Api, network: ServiceNetwork, host: string, port: number, tls: boolean): void {
  const writer = new SystemWriter(api, "kube-apiserver");
  const name = tls ? "https" : "http";
  const labels = { component: "apiserver", provider: "kubernetes" };
  writer.create(api.types.builtIn("services"), "default", {
    metadata: { name: "kubernetes", labels },
    spec: {
      clusterIP: `${network.prefix}.0.1`,
      ports: [{ name, port: network.lowPorts ? (tls ? 443 : 80) : port, targetPort: port }],
    },
  });
  writer.create(api.types.builtIn("endpointslices", "discovery.k8s.io"), "default", {
    metadata: { name: "kubernetes", labels: { [SERVICE_NAME]: "kubernetes" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports: [{ name, port }],
  });
}

/** Registers a ready node. */
export function registerNode(api: Api, node: ResolvedNode, ip: string, runtime: Runtime): void {
  const writer = new SystemWriter(api, "kubelet");
  const type = api.types.builtIn("nodes");
  const { name, capacity } = node;
  const labels = {
    "kubernetes.io/arch": ARCHITECTURES[arch] ?? arch,
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": platform === "darwin" ? "darwin" : "linux",
    ...node.labels,
  };
  const spec = node.providerId === undefined ? {} : { providerID: node.providerId };
  writer.create(type, undefined, { metadata: { name, labels }, spec });
  const taints = (node.taints ?? []).map((taint) => ({ ...taint }));
  writer.update(type, { name }, (current) => ({ ...current, spec: taints.length === 0 ? spec : { ...spec, taints } }));
  writer.updateStatus<Node>(type, { name }, () => nodeStatus(api, capacity, ip, name, runtime));
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64" };

function nodeStatus(api: Api, capacity: NodeCapacity, ip: string, name: string, runtime: Runtime): Node["status"] {
  const now = formatTime(api.clock.now());
  const good = (type: string, reason: string, message: string): Condition => ({
    type,
    status: "False",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  });
  const resources = {
    cpu: capacity.cpu,
    "ephemeral-storage": capacity.ephemeralStorage,
    memory: capacity.memory,
    pods: capacity.pods,
  };
  return {
    capacity: resources,
    allocatable: resources,
    conditions: [
      good("MemoryPressure", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
      good("DiskPressure", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
      good("PIDPressure", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
      { ...READY, lastHeartbeatTime: now, lastTransitionTime: now },
    ],
    addresses: [
      { type: "InternalIP", address: ip },
      { type: "Hostname", address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: "",
      systemUUID: "",
      bootID: "",
      kernelVersion: "",
      osImage: "",
      containerRuntimeVersion: `${runtime.name}://${runtime.version}`,
      kubeletVersion: VERSION["gitVersion"] ?? "",
      kubeProxyVersion: "",
      operatingSystem: platform === "darwin" ? "darwin" : "linux",
      architecture: ARCHITECTURES[arch] ?? arch,
    },
  };
}
