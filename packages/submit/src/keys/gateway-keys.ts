import { confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

/** Where users see the gateway's page; drivers do not use it. */
export const GATEWAY_PAGE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.scheduler.pageUri",
  type: confType.checked(confType.text, isHttpUri, "an http or https URI, such as http://127.0.0.1:8081"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The URI at which this machine reaches the gateway's page, for kindling queue. If unset, kindling queue asks the service of spark.kindling.scheduler.uri, through the API server.",
});

function isHttpUri(uri: string): boolean {
  return /^https?:\/\/\S+$/.test(uri) && URL.canParse(uri);
}
