import { amountToNumber, parseAmount } from "@kindling/api-server";
import type { Container, Pod } from "./pod.ts";

/** The resources of a node, for limits that a container does not set. */
export interface NodeResources {
  readonly allocatable: Readonly<Record<string, string>>;
}

/** The value of a field of the pod for the downward API. */
export function fieldValue(pod: Pod, fieldPath: string): string {
  const { metadata, spec, status } = pod;
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(fieldPath);
  if (subscript !== null) return metadata[subscript[1] as "labels" | "annotations"]?.[subscript[2] ?? ""] ?? "";
  switch (fieldPath) {
    case "metadata.name":
      return metadata.name;
    case "metadata.namespace":
      return metadata.namespace ?? "";
    case "metadata.uid":
      return metadata.uid;
    case "metadata.labels":
      return formatMap(metadata.labels);
    case "metadata.annotations":
      return formatMap(metadata.annotations);
    case "spec.nodeName":
      return spec.nodeName ?? "";
    case "spec.serviceAccountName":
      return spec.serviceAccountName ?? "";
    case "status.hostIP":
      return status.hostIP ?? "";
    case "status.hostIPs":
      return (status.hostIPs ?? []).map(({ ip }) => ip).join(",");
    case "status.podIP":
      return status.podIP ?? "";
    case "status.podIPs":
      return (status.podIPs ?? []).map(({ ip }) => ip).join(",");
    default:
      return "";
  }
}

function formatMap(map: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join("\n");
}

/** The request or limit of a container for a resource, in units of the divisor, rounded up. */
export function resourceValue(
  { resources }: Container,
  resource: string,
  divisor: string | undefined,
  node: NodeResources,
): string {
  const at = resource.indexOf(".");
  const [kind, name] = [resource.slice(0, at), resource.slice(at + 1)];
  const own = kind === "limits" ? resources.limits?.[name] : resources.requests?.[name];
  // Without a limit the whole node may be used.
  const text = own ?? (kind === "limits" ? node.allocatable[name] : undefined) ?? "0";
  const unit = divisor === undefined || divisor === "0" ? "1" : divisor;
  const [amount, per] = [parseAmount(text), parseAmount(unit)];
  if (amount === undefined || per === undefined || per.nanos === 0n) return "0";
  return String(Math.ceil(amountToNumber(amount) / amountToNumber(per)));
}
