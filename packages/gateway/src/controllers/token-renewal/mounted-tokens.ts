import type { KubeObject } from "@kindling/kube-objects";
import { objectsAt, textAt } from "../../json/fields.ts";

/** Where a pod has delegation tokens from. */
export interface MountedTokens {
  /** The name of a Secret of the pod's namespace. */
  readonly secret: string;
  /** Its entry. */
  readonly item: string;
}

const TOKEN_FILE = "HADOOP_TOKEN_FILE_LOCATION";

/** The entry of a Secret that a container of the pod has at the place that HADOOP_TOKEN_FILE_LOCATION names. */
export function mountedTokens(pod: KubeObject): MountedTokens | undefined {
  for (const container of objectsAt(pod, "spec", "containers")) {
    const named = objectsAt(container, "env").find((variable) => textAt(variable, "name") === TOKEN_FILE);
    const [, folder, item] = /^(.+)\/([^/]+)$/.exec(textAt(named, "value") ?? "") ?? [];
    const mount = objectsAt(container, "volumeMounts").find((each) => textAt(each, "mountPath") === folder);
    const name = textAt(mount, "name");
    const volume = objectsAt(pod, "spec", "volumes").find((each) => textAt(each, "name") === name);
    const secret = textAt(volume, "secret", "secretName");
    if (item !== undefined && name !== undefined && secret !== undefined) return { secret, item };
  }
  return undefined;
}
