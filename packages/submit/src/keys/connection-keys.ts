import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

const { boolean, int, text } = confType;

function authKey(suffix: string, doc: string, secret = false): ConfKey<string | undefined> {
  return optionalConfKey({
    key: `spark.kubernetes.authenticate.submission.${suffix}`,
    type: text,
    since: "2.3.0",
    readBy: ["submit", "kill"],
    secret,
    doc,
  });
}

export const SUBMISSION_OAUTH_TOKEN: ConfKey<string | undefined> = authKey(
  "oauthToken",
  "A bearer token for the API server while submitting. Cannot be combined with the token file.",
  true,
);
export const SUBMISSION_OAUTH_TOKEN_FILE: ConfKey<string | undefined> = authKey(
  "oauthTokenFile",
  "A file with a bearer token for the API server while submitting.",
);
export const SUBMISSION_CA_CERT_FILE: ConfKey<string | undefined> = authKey(
  "caCertFile",
  "The certificate authority of the API server, as a PEM file, while submitting.",
);
export const SUBMISSION_CLIENT_KEY_FILE: ConfKey<string | undefined> = authKey(
  "clientKeyFile",
  "The key of the client certificate, as a PEM file, while submitting.",
);
export const SUBMISSION_CLIENT_CERT_FILE: ConfKey<string | undefined> = authKey(
  "clientCertFile",
  "A client certificate for the API server, as a PEM file, while submitting.",
);

export const KUBERNETES_CONTEXT: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.context",
  type: text,
  since: "3.0.0",
  readBy: ["submit", "driver", "kill"],
  doc: "The kubeconfig context to use; the current context if unset.",
});

export const TRUST_CERTIFICATES: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.trust.certificates",
  type: boolean,
  default: "false",
  since: "3.2.0",
  readBy: ["submit", "driver", "kill"],
  doc: "Whether the API server's certificate is accepted without a check.",
});

export const REQUEST_TIMEOUT: ConfKey<number> = confKey({
  key: "spark.kubernetes.submission.requestTimeout",
  type: int,
  default: "10000",
  since: "3.0.0",
  readBy: ["submit", "kill"],
  doc: "How long one request to the API server may take while submitting, in milliseconds; 0 means no limit.",
});

export const CONNECTION_TIMEOUT: ConfKey<number> = confKey({
  key: "spark.kubernetes.submission.connectionTimeout",
  type: int,
  default: "10000",
  since: "3.0.0",
  readBy: ["submit", "kill"],
  doc: "How long it may take to connect to the API server while submitting, in milliseconds; 0 means no limit.",
});

export const CONNECTION_KEYS: readonly ConfKey<unknown>[] = [
  SUBMISSION_OAUTH_TOKEN,
  SUBMISSION_OAUTH_TOKEN_FILE,
  SUBMISSION_CA_CERT_FILE,
  SUBMISSION_CLIENT_KEY_FILE,
  SUBMISSION_CLIENT_CERT_FILE,
  KUBERNETES_CONTEXT,
  TRUST_CERTIFICATES,
  REQUEST_TIMEOUT,
  CONNECTION_TIMEOUT,
];
