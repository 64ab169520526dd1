import { notAcceptable } from "../status/errors.ts";

/** The form in which objects are answered: as they are, as a table, or their metadata only. */
export type ObjectForm = "object" | "table" | "metadata";

export interface Format {
  readonly form: ObjectForm;
  readonly encoding: "json" | "yaml";
}

const PLAIN: Format = { form: "object", encoding: "json" };
const AVAILABLE = ["application/json", "application/yaml"];

/**
 * Chooses the first form that the client accepts and this server has.
 *
 * @throws ApiError 406 if there is none.
 */
export function negotiate(accept: string): Format {
  if (accept.trim() === "") return PLAIN;
  for (const range of accept.split(",")) {
    const [media = "", ...parameters] = range.split(";").map((part) => part.trim());
    const format = formatOf(media, new Map(parameters.map(parameterOf)));
    if (format !== undefined) return format;
  }
  throw notAcceptable(AVAILABLE);
}

function formatOf(media: string, parameters: ReadonlyMap<string, string>): Format | undefined {
  if (media === "*/*" || media === "application/*") return PLAIN;
  const encoding = media === "application/json" ? "json" : media === "application/yaml" ? "yaml" : undefined;
  if (encoding === undefined) return undefined;
  const as = parameters.get("as");
  if (as === undefined) return { form: "object", encoding };
  if (parameters.get("g") !== "meta.k8s.io") return undefined;
  if (as === "Table") return { form: "table", encoding };
  return as === "PartialObjectMetadata" || as === "PartialObjectMetadataList"
    ? { form: "metadata", encoding }
    : undefined;
}

function parameterOf(text: string): [string, string] {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
