import { schemeOf, splitFragment } from "@kindling/steps";

/** The path of a `file:` URI or plain path. */
export function filePath(uri: string): string {
  const { location } = splitFragment(uri);
  if (schemeOf(location) !== "file") return location;
  return decodeEscapes(location.replace(/^file:(\/\/[^/]*)?/i, ""));
}

/** `%20` and the like; escapes that are no UTF-8 stay, and whoever opens such a file finds none. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
