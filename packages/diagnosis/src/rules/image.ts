import type { PodEvent } from "../evidence/pod-event.ts";

/** Reasons for which a container waits because of its image (kubelet, pkg/kubelet/images/types.go). */
export const IMAGE_REASONS: ReadonlySet<string> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);

/** Why an image could not be pulled, without the words of kubelet and container runtime around it. */
export function imageFault(
  message: string | undefined,
  events: readonly PodEvent[],
  image: string,
): string | undefined {
  const pulled = events.findLast(({ reason, message: said }) => reason === "Failed" && said.includes(image));
  const full = [message, pulled?.message].find((said) => said !== undefined && !saysNotWhy(said));
  if (full === undefined) return undefined;
  // Newer kubelets write what they do first, and then what they found.
  const bare = full.replace(/^Back-off pulling image "[^"]*": /, "").replace(/^ErrImagePull: /, "");
  const [, own = bare] = /(?:^|: )(?:rpc error: code = \w+ desc = )(.*)$/.exec(bare) ?? [];
  return own.replace(/^(?:failed to pull and unpack image "[^"]*": )/, "");
}

/** It waits before its next try, or has to wait because its node has just pulled many images (kubelet, `registryPullQPS`). */
function saysNotWhy(message: string): boolean {
  return /^Back-off pulling image "[^"]*"$|\bpull QPS exceeded$/.test(message);
}

/** What would help, chosen by the words of container runtimes and registries. */
export function imageAdvice(reason: string, fault: string, key: string): string {
  if (reason === "InvalidImageName") return `correct the name: ${key}`;
  if (fault.endsWith("pull QPS exceeded"))
    return "the node has fetched many images just now, and fetches this one when its kubelet may (registryPullQPS, registryBurst)";
  if (reason === "ErrImageNeverPull")
    return "load the image onto the node, or set spark.kubernetes.container.image.pullPolicy=IfNotPresent";
  if (/unauthorized|denied|authentication|authorization failed|403 Forbidden/i.test(fault))
    return `check the name (${key}), and name a pull secret of the namespace: spark.kubernetes.container.image.pullSecrets`;
  if (/not found|manifest unknown|does not exist/i.test(fault))
    return `check name and tag: ${key}; what is only on your machine has to be pushed, or loaded into the nodes`;
  if (/no match for platform|no matching manifest/i.test(fault))
    return "the image is not built for the nodes' processor: build it for that, or choose nodes by spark.kubernetes.node.selector.kubernetes.io/arch";
  if (/x509|certificate/i.test(fault)) return "the node's container runtime has to trust the registry's certificate";
  if (/no such host|i\/o timeout|connection refused|network is unreachable|deadline exceeded/i.test(fault))
    return `the node does not reach the registry: check its name in ${key}, and the node's network and proxy`;
  return `check ${key}`;
}
