import { decodeEscapes, schemeOf } from "@kindling/steps";
import { absolutePath } from "./absolute-path.ts";

/**
 * The path of a `file:` URI. It ends before a query and a fragment, and has neither doubled slashes nor a slash at its end
 * (`java.net.URI.getPath`, `java.io.File`). Any other text is taken as a path: in it `#` is an ordinary character.
 */
export function filePath(text: string): string {
  if (schemeOf(text) !== "file") return text;
  const [location = ""] = text.split(/[?#]/, 1);
  return tidyPath(decodeEscapes(location.replace(/^file:(\/\/[^/]*)?/i, "")));
}

/**
 * The path of a file that Hadoop writes (org.apache.hadoop.fs.Path): `%`, `?` and `#` in the text of a URI are ordinary
 * characters.
 */
export function hadoopPath(text: string): string {
  return schemeOf(text) === "file" ? tidyPath(text.replace(/^file:(\/\/[^/]*)?/i, "")) : text;
}

function tidyPath(path: string): string {
  const single = path.replace(/\/{2,}/g, "/");
  return single.length > 1 && single.endsWith("/") ? single.slice(0, -1) : single;
}

/**
 * The absolute path of a file that is read on this machine; gathered files are found by it. This includes `local:`, which
 * means something else in other places: spark-submit opens such templates here.
 */
export function pathHere(folder: string, uri: string): string {
  return absolutePath(folder, filePath(schemeOf(uri) === "local" ? uri.replace(/^local/i, "file") : uri));
}
