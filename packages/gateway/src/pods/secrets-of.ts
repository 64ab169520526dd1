import { isObject, type Json } from "@kindling/api-server";
import { textAt } from "../json/fields.ts";

/** As fields are called that name a Secret: `secretName`, `secretRef`, `secretKeyRef`, `nodePublishSecretRef`, `secret`. */
const OF_SECRET = /secret(?:key)?(?:name|ref)?$/i;

/**
 * The names of all Secrets that a part of a pod has the contents of, wherever in it they are named: in volumes of every
 * kind, and in the environment of containers.
 */
export function secretsOf(part: Json | undefined): string[] {
  if (Array.isArray(part)) return part.flatMap((item) => secretsOf(item));
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([field, value]) => {
    const own = OF_SECRET.test(field) ? nameIn(field, value) : undefined;
    return [...(own === undefined ? [] : [own]), ...secretsOf(value)];
  });
}

function nameIn(field: string, value: Json | undefined): string | undefined {
  if (typeof value === "string") return /name$/i.test(field) ? value : undefined;
  return textAt(value, "name");
}
