/** Kinds of other projects that the charts create objects of: they accept any fields. */
export const CUSTOM_RESOURCES: readonly object[] = [
  definition("cert-manager.io", "v1", "Certificate"),
  definition("cert-manager.io", "v1", "Issuer"),
  definition("monitoring.coreos.com", "v1", "PodMonitor"),
  definition("monitoring.coreos.com", "v1", "ServiceMonitor"),
];

function definition(group: string, version: string, kind: string): object {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular, kind, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
