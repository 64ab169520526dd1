import { confType, isDnsLabel, optionalConfKey, type ConfKey } from "@kindling/core-spec";

/** The value that means not to look anywhere; no namespace can be named by it. */
export const NO_INSTALLATION = "none";

export const INSTALLATION: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.installation",
  type: confType.checked(confType.text, isDnsLabel, "the name of a namespace, or none"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The namespace where the Helm chart is installed. It must have the ConfigMap kindling, which says where staging server and gateway are. With none, no installation is used. If unset, the ConfigMap is looked for in the application's namespace, then in the namespace kindling.",
});
