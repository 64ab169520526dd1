import { Document, visit } from "yaml";
import { UNSEEN } from "./unseen.ts";

/**
 * Writes objects as documents of one YAML text. Kubernetes' tools read YAML 1.1, so texts that are numbers or booleans in
 * YAML 1.1 (`yes`, `012`) are quoted.
 */
export function formatYaml(objects: readonly unknown[]): string {
  return objects.map((object) => documentText(yamlDocument(object))).join("---\n");
}

export function yamlDocument(object: unknown): Document {
  return new Document(object, { version: "1.1", aliasDuplicateObjects: false });
}

/** A document as text in which control characters are written as escapes in double quotes (YAML 1.2, 5.7). */
export function documentText(document: Document): string {
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && node.value.search(UNSEEN) >= 0) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 }).replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}
