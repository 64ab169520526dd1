import { type ConnectionLimits, proxyAddresses } from "@kindling/service";
import { planDescriptors, type DescriptorPlan } from "../budget/descriptor-plan.ts";
import { planMemory, type MemoryPlan } from "../budget/memory-plan.ts";
import type { ProcessLimits } from "../budget/process-limits.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { descriptorsPerUpload } from "../stores/stores.ts";

/** How a server divides the resources of its process; made once, when it starts. */
export interface ServerPlan {
  readonly descriptors: DescriptorPlan;
  readonly memory: MemoryPlan;
  readonly connections: ConnectionLimits;
  /** Most requests under way. */
  readonly requests: number;
}

/** The settings as far as the plan allows them. */
export function withinPlan(config: ServerConfig, { descriptors }: ServerPlan): ServerConfig {
  return { ...config, "limits.uploads": descriptors.uploads, "limits.downloads": descriptors.downloads };
}

/** @throws KindlingError `CONF_INVALID` */
export function planServer(limits: ProcessLimits, config: ServerConfig): ServerPlan {
  const memory = planMemory(limits.memory, {
    memory: config["limits.memory"],
    memoryPerNamespace: config["limits.memoryPerNamespace"],
    documentMemory: config["limits.documentMemory"],
    bundleFiles: config["limits.bundleFiles"],
  });
  const descriptors = planDescriptors(limits.descriptors, {
    connections: config["limits.connections"] ?? memory.connections,
    uploads: config["limits.uploads"],
    downloads: config["limits.downloads"],
    perUpload: descriptorsPerUpload(config["store.kind"]),
    watches: config["lifecycle.owners"] === "kubernetes",
  });
  const { connections } = descriptors;
  return {
    descriptors,
    memory,
    connections: {
      most: connections,
      mostPerClient: config["limits.connectionsPerClient"] ?? Math.ceil(connections / 2),
      isProxy: proxyAddresses(config["listen.trustedProxies"]),
    },
    requests: config["limits.requests"] ?? connections,
  };
}
