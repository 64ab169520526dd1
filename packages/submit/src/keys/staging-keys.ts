import {
  confKey,
  confType,
  isDnsSubdomain,
  isServiceAudience,
  optionalConfKey,
  type ConfKey,
} from "@kindling/core-spec";

/** The keys that say where files of the submitter's disk are staged. */

function stagingKey(
  name: string,
  doc: string,
  options: { readonly alternatives?: readonly string[]; readonly secret?: boolean } = {},
): ConfKey<string | undefined> {
  return optionalConfKey({
    key: `spark.kindling.staging.${name}`,
    type: confType.text,
    since: "3.5.0",
    readBy: ["submit"],
    doc,
    ...options,
  });
}

export const STAGING_URI: ConfKey<string | undefined> = stagingKey(
  "uri",
  "The URI at which this machine reaches the staging server: an http or https URI, or k8s+https://NAMESPACE/SERVICE:PORT for a service that is reached through the API server, with the API server's credentials. If set, files of the submitter's disk are uploaded there, and the localizer brings them into the pods.",
  { alternatives: ["spark.kubernetes.resourceStagingServer.uri"] },
);

export const STAGING_INTERNAL_URI: ConfKey<string | undefined> = stagingKey(
  "internalUri",
  "The URI at which pods reach the staging server. If unset, spark.kindling.staging.uri, or the DNS name of the service that it names.",
  { alternatives: ["spark.kubernetes.resourceStagingServer.internal.uri"] },
);

export const STAGING_CA_FILE: ConfKey<string | undefined> = stagingKey(
  "caFile",
  "A PEM file with the certificates of the authority that has signed the staging server's certificate. The localizer gets them, too.",
);

export const STAGING_TOKEN_FILE: ConfKey<string | undefined> = stagingKey(
  "tokenFile",
  "A file with a bearer token for the staging server. If unset: the environment's KINDLING_STAGING_TOKEN, else a token of spark.kindling.staging.serviceAccount, if the server checks tokens with the cluster.",
);

export const STAGING_SERVICE_ACCOUNT: ConfKey<string> = confKey({
  key: "spark.kindling.staging.serviceAccount",
  type: confType.checked(confType.text, isDnsSubdomain, "the name of a service account"),
  default: "kindling-submitter",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "A service account of the application's namespace. Its token proves to a staging server that the submitter may upload for this namespace. It should have no rights. Whoever may create tokens of it may upload.",
});

export const STAGING_AUDIENCE: ConfKey<string> = confKey({
  key: "spark.kindling.staging.audience",
  type: confType.checked(
    confType.text,
    isServiceAudience,
    "a name without blanks and commas that is not the API server's own",
  ),
  default: "kindling-staging",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The audience of that token, one of the staging server's auth.audiences. Nobody else accepts this token.",
});

export const STAGING_ALLOW_INSECURE: ConfKey<readonly string[]> = confKey({
  key: "spark.kindling.staging.allowInsecure",
  type: confType.list,
  default: "",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "URIs of staging servers to which tokens may be sent over plain HTTP, as http://host:port/path, without wildcards. Anybody on the way can read these tokens. If unset, tokens are sent only over TLS, or to this machine itself.",
});

export const STAGING_CLIENT_CERT_FILE: ConfKey<string | undefined> = stagingKey(
  "clientCertFile",
  "A client certificate for the staging server, as a PEM file.",
);

export const STAGING_CLIENT_KEY_FILE: ConfKey<string | undefined> = stagingKey(
  "clientKeyFile",
  "The key of that certificate, as a PEM file.",
);

export const SMALL_FILES: ConfKey<boolean> = confKey({
  key: "spark.kindling.staging.smallFiles",
  type: confType.boolean,
  default: "false",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Whether files on the submitter's disk may be put into a Secret if there is no staging server and no upload path.",
});

export const SMALL_FILES_MAX_SIZE: ConfKey<number> = confKey({
  key: "spark.kindling.staging.smallFiles.maxSize",
  type: confType.checked(
    confType.bytes("b"),
    (bytes) => bytes >= 0 && bytes <= 700 * 1024,
    "a size of at most 700k, since a Secret holds no more than 1 MiB in all",
  ),
  default: "10k",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "How large all of these files together may be.",
});

export const STAGING_KEYS: readonly ConfKey<unknown>[] = [
  STAGING_URI,
  STAGING_INTERNAL_URI,
  STAGING_CA_FILE,
  STAGING_TOKEN_FILE,
  STAGING_SERVICE_ACCOUNT,
  STAGING_AUDIENCE,
  STAGING_ALLOW_INSECURE,
  STAGING_CLIENT_CERT_FILE,
  STAGING_CLIENT_KEY_FILE,
  SMALL_FILES,
  SMALL_FILES_MAX_SIZE,
];
