import type { Step } from "@kindling/core-spec";
import { agentConfig, withAgent, type AgentWishes } from "./agent.ts";
import { forInjector } from "./injector.ts";
import * as keys from "./keys.ts";
import type { SparkPod } from "./vault-pod.ts";
import { wishesIn, type Wishes } from "./wishes.ts";

/**
 * Secrets of HashiCorp Vault as files in drivers and executors: through the cluster's agent injector, or through the pods'
 * own agent. Without a role it changes nothing.
 */
const vault: Step = {
  name: "vault",
  keys: Object.values(keys),
  configureDriver(spec, { conf, appId }) {
    const wishes = wishesIn(conf);
    if (wishes === undefined) return spec;
    const { pod, container } = withSecrets({ pod: spec.driverPod, container: spec.driverContainer }, wishes, appId);
    const made = { ...spec, driverPod: pod, driverContainer: container };
    if (!hasAgent(wishes)) return made;
    return { ...made, preKubernetesResources: [...spec.preKubernetesResources, agentConfig(wishes, appId)] };
  },
  configureExecutor(spec, { conf, appId }) {
    const wishes = wishesIn(conf);
    if (wishes === undefined) return spec;
    const { pod, container } = withSecrets({ pod: spec.executorPod, container: spec.executorContainer }, wishes, appId);
    return { ...spec, executorPod: pod, executorContainer: container };
  },
};

export default vault;

function withSecrets(sparkPod: SparkPod, wishes: Wishes, appId: string): SparkPod {
  return hasAgent(wishes) ? withAgent(sparkPod, wishes, appId) : forInjector(sparkPod, wishes);
}

function hasAgent(wishes: Wishes): wishes is AgentWishes {
  return wishes.agent !== undefined;
}
