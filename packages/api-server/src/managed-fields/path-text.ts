import type { JsonObject } from "@kindling/kube-objects";

/** A path as conflict messages show it: `.spec.containers[name="main"].image`. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join("");
}

function elementText(element: string): string {
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case "k": {
      const key = JSON.parse(rest) as JsonObject;
      return `[${Object.entries(key)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(",")}]`;
    }
    case "v":
      return `[=${rest}]`;
    case "i":
      return `[${rest}]`;
    default:
      return `.${rest}`;
  }
}
