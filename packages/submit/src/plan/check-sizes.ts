import { KindlingError, type KubernetesResource, type Pod } from "@kindling/core-spec";
import type { DriverObjects } from "@kindling/steps";

// Kubernetes' own limits, in bytes: TotalAnnotationSizeLimitB (apimachinery, pkg/api/validation), MaxSecretSize, which also
// limits ConfigMaps (pkg/apis/core/types.go), and MaxRequestBodyBytes (apiserver, pkg/server/config.go).
const ANNOTATIONS = 256 * 1024;
const DATA = 1024 * 1024;
const REQUEST = 3 * 1024 * 1024;

/**
 * Refuses objects that are too large for every API server, before files are uploaded and the first object is created.
 *
 * @throws KindlingError `OBJECT_INVALID` with the size and the limit
 */
export function checkSizes({ preResources, pod, resources }: DriverObjects): void {
  for (const object of [...preResources, pod, ...resources]) {
    const annotations = Object.entries(object.metadata?.annotations ?? {}).flat();
    refuseBeyond(ANNOTATIONS, sizeOf(annotations), `the annotations of ${nameOf(object)}`);
    if (object.kind === "ConfigMap") refuseBeyond(DATA, sizeOf(dataOf(object)), `the files in ${nameOf(object)}`);
    if (object.kind === "Secret") refuseBeyond(DATA, sizeOf(dataOf(object), "base64"), `the data of ${nameOf(object)}`);
    refuseBeyond(REQUEST, sizeOf([JSON.stringify(object)]), nameOf(object));
  }
}

function refuseBeyond(limit: number, bytes: number, what: string): void {
  if (bytes <= limit) return;
  throw new KindlingError("OBJECT_INVALID", `${what} would have ${bytes} bytes, and an API server takes ${limit}`, {
    hint: "bring large files with --files, and leave out of templates and the configuration what is not needed",
  });
}

function nameOf({ kind, metadata }: Pod | KubernetesResource): string {
  return `${kind ?? "object"} ${metadata?.name ?? ""}`;
}

function dataOf(object: Pod | KubernetesResource): readonly unknown[] {
  const { data } = object as { readonly data?: Readonly<Record<string, unknown>> };
  return Object.values(data ?? {});
}

function sizeOf(texts: readonly unknown[], encoding: "utf8" | "base64" = "utf8"): number {
  return texts.reduce<number>((sum, text) => sum + Buffer.byteLength(String(text), encoding), 0);
}
