import {
  confKey,
  type ConfKey,
  confType,
  isDnsSubdomain,
  isServiceAudience,
  optionalConfKey,
} from "@kindling/core-spec";

/** The keys that say where Spark Connect is served for many users. `kindling connect` uses them; submissions do not. */

export const CONNECT_URI: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.connect.uri",
  type: confType.text,
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The address of kindling-connect, which serves Spark Connect for many users: sc://HOST:PORT, and what else clients need to reach it, such as /;use_ssl=true. If unset, the installation's, else that of the service of the cluster with the label app.kubernetes.io/component=connect.",
});

export const CONNECT_SERVICE_ACCOUNT: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kindling.connect.serviceAccount",
  type: confType.checked(confType.text, isDnsSubdomain, "the name of a service account"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "A service account of the namespace, as which kindling connect lets its user connect: it makes a token of it. For kindling-connect, all who use one account are one user. If unset, no token is made.",
});

export const CONNECT_AUDIENCE: ConfKey<string> = confKey({
  key: "spark.kindling.connect.audience",
  type: confType.checked(
    confType.text,
    isServiceAudience,
    "a name without blanks and commas that is not the API server's own",
  ),
  default: "kindling-connect",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The audience of that token, one of the auth.audiences of kindling-connect. Nobody else accepts this token.",
});

export const CONNECT_KEYS: readonly ConfKey<unknown>[] = [CONNECT_URI, CONNECT_SERVICE_ACCOUNT, CONNECT_AUDIENCE];
