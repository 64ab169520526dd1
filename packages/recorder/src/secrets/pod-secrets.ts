import { secretsInObjects } from "@kindling/submit";
import type { Container, Pod } from "kubernetes-types/core/v1.js";

/** What the variables, arguments, labels and annotations of a pod hold that may be shown nowhere. */
export function podSecrets({ metadata, spec }: Pod): readonly string[] {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return secretsInObjects([
    { labels: metadata?.labels, annotations: metadata?.annotations },
    ...containers.map(userTexts),
  ]);
}

/** The rest of a container is Kubernetes' own. */
function userTexts({ env, args, command }: Container): object {
  return { env, args, command };
}
