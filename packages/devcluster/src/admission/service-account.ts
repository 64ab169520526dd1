import type { ServiceAccount } from "../objects/core.ts";
import type { Container, Pod, PodSpec, Volume } from "../objects/pod.ts";
import { type AdmissionPlugin, forbidden, nameSuffix, type Store } from "@kindling/api-server";
import type { Random } from "@kindling/outside";

/** Where a pod finds its account's token. */
export const TOKEN_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
const PREFIX = "kube-api-access-";

/** Gives each pod a service account, and mounts its token. */
export function serviceAccountAdmission(store: Store, random: Random): AdmissionPlugin {
  return {
    admit({ operation, type, namespace, object, subresource }) {
      if (operation !== "create" || type.storageKey !== "pods" || subresource !== "" || object === undefined) return;
      const pod = object as Pod;
      const { spec } = pod;
      spec.serviceAccountName = spec.serviceAccountName || "default";
      spec.serviceAccount = spec.serviceAccountName;
      const account = store.collection("serviceaccounts").get(namespace, spec.serviceAccountName)?.object;
      if (account === undefined) {
        const name = spec.serviceAccountName;
        const why = `error looking up service account ${namespace ?? ""}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
        throw forbidden({ group: "", resource: "pods" }, pod.metadata.name ?? "", why);
      }
      const { automountServiceAccountToken: mounts, imagePullSecrets } = account as ServiceAccount;
      if (spec.automountServiceAccountToken ?? mounts ?? true) mountToken(spec, random);
      if ((spec.imagePullSecrets ?? []).length === 0 && imagePullSecrets !== undefined) {
        spec.imagePullSecrets = imagePullSecrets;
      }
    },
  };
}

function mountToken(spec: PodSpec, random: Random): void {
  const existing = spec.volumes?.find(({ name }) => name.startsWith(PREFIX));
  const name = existing?.name ?? `${PREFIX}${nameSuffix(random)}`;
  let mounted = false;
  const mount = (container: Container): Container => {
    if (container.volumeMounts?.some(({ mountPath }) => mountPath === TOKEN_PATH) === true) return container;
    mounted = true;
    const volumeMount = { name, readOnly: true, mountPath: TOKEN_PATH };
    return { ...container, volumeMounts: [...(container.volumeMounts ?? []), volumeMount] };
  };
  if (spec.initContainers !== undefined) spec.initContainers = spec.initContainers.map(mount);
  spec.containers = (spec.containers ?? []).map(mount);
  if (mounted && existing === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
          },
        },
      ],
      defaultMode: 420,
    },
  };
}
