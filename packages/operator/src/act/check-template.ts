import type { Container, Pod } from "@kindling/core-spec";
import { isKubeError, resources, type KubeClient } from "@kindling/kube";

/** What a template leaves to Spark, and no pod can do without. */
const IMAGE = "kindling/template-check";

/**
 * Asks the API server whether a pod can be made from a template, without making one: a fault of executors then shows in the
 * application's status, and not in the log of a driver that makes executors in vain.
 *
 * @returns what the API server finds wrong with it; undefined if nothing, or if it does not say
 */
export async function templateFault(
  client: KubeClient,
  namespace: string,
  template: Pod,
  sparkContainer: string,
): Promise<string | undefined> {
  const { metadata, spec } = template;
  const { ownerReferences: _owners, name: _name, generateName: _prefix, ...kept } = metadata ?? {};
  const containers = (spec?.containers ?? []).map((container) => complete(container, sparkContainer));
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...kept, generateName: "template-check-", namespace },
    spec: { ...spec, containers: containers.length > 0 ? containers : [complete({ name: "" }, sparkContainer)] },
  };
  try {
    await client.create(resources.pods, pod, { dryRun: true });
    return undefined;
  } catch (error) {
    // A quota, a policy or an account that is not there speaks of this pod alone, which nobody will make.
    if (isKubeError(error) && error.kind === "status" && (error.status === 422 || error.status === 400))
      return error.serverMessage;
    return undefined;
  }
}

function complete(container: Container, sparkContainer: string): Container {
  return { ...container, name: container.name || sparkContainer, image: container.image || IMAGE };
}
