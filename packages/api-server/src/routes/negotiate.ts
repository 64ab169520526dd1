import { notAcceptable } from "../status/errors.ts";

/** The form of objects in an answer: complete, as a table, or only their metadata. */
export type ObjectForm = "object" | "table" | "metadata";

/**
 * Chooses the first form that the client accepts and this server has. All are JSON.
 *
 * @throws ApiError 406 if there is none.
 */
export function negotiate(accept: string): ObjectForm {
  if (accept.trim() === "") return "object";
  for (const range of accept.split(",")) {
    const [media = "", ...parameters] = range.split(";").map((part) => part.trim());
    const form = formOf(media, new Map(parameters.map(parameterOf)));
    if (form !== undefined) return form;
  }
  throw notAcceptable(["application/json"]);
}

function formOf(media: string, parameters: ReadonlyMap<string, string>): ObjectForm | undefined {
  if (media === "*/*" || media === "application/*") return "object";
  if (media !== "application/json") return undefined;
  const as = parameters.get("as");
  if (as === undefined) return "object";
  if (parameters.get("g") !== "meta.k8s.io") return undefined;
  if (as === "Table") return "table";
  return as === "PartialObjectMetadata" || as === "PartialObjectMetadataList" ? "metadata" : undefined;
}

function parameterOf(text: string): [string, string] {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
