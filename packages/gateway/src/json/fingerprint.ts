import { isObject } from "@kindling/kube-objects";
import { createHash } from "node:crypto";

/** A short text that is the same for equal JSON values. The order of members does not matter. */
export function fingerprint(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(inOrder(value)) ?? "")
    .digest("base64url")
    .slice(0, 22);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return Object.fromEntries(names.sort().map((name) => [name, inOrder(value[name])]));
}
