import { isDnsLabel, KindlingError, quotedName } from "@kindling/core-spec";

/** What a user calls an application, or a pattern for several. */
export interface ApplicationName {
  /** Default: the client's namespace. */
  readonly namespace: string | undefined;
  /** The application's name or id, its submission id, or its driver pod's name. */
  readonly name: string;
  /** Whether `*` and `?` stand for any text and any character. */
  readonly isPattern: boolean;
}

/**
 * Reads `name` or `namespace:name`.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function parseApplicationName(text: string): ApplicationName {
  const colon = text.indexOf(":");
  const before = text.slice(0, Math.max(0, colon));
  // An application's own name may hold a colon.
  const namespace = isDnsLabel(before) ? before : undefined;
  const name = namespace === undefined ? text : text.slice(colon + 1);
  if (name.trim() === "" || text.startsWith(":")) {
    throw new KindlingError("ARGUMENT_INVALID", `${quotedName(text)} names no application`, {
      hint: "name it by its name, its id or its driver pod, perhaps as NAMESPACE:NAME; kindling list shows them",
    });
  }
  return { namespace, name, isPattern: /[*?]/.test(name) };
}

/** Whether the whole text matches a pattern. */
export function matchesPattern(pattern: string, text: string): boolean {
  const expression = pattern
    .replace(/[\\^$.|+()[\]{}]/g, String.raw`\$&`)
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${expression}$`, "s").test(text);
}
