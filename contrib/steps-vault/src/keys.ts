import {
  confKey,
  confPrefix,
  confType,
  isServiceAudience,
  optionalConfKey,
  type ConfKey,
  type ConfPrefix,
} from "@kindling/core-spec";

const { boolean, checked, oneOf, text } = confType;
const READ = { since: "3.5.0", readBy: ["submit", "executor"] } as const;

export const ROLE: ConfKey<string | undefined> = optionalConfKey({
  ...READ,
  key: "spark.kindling.vault.role",
  type: text,
  doc: "The role of Vault's Kubernetes authentication that driver and executors log in with. Without it nothing is done.",
});

export const SECRET: ConfPrefix = confPrefix({
  ...READ,
  prefix: "spark.kindling.vault.secret.",
  placeholder: "<file>",
  doc: "The path of a secret in Vault, such as secret/data/db: it is in the file /vault/secrets/<file> of driver and executors.",
});

export const TEMPLATE: ConfPrefix = confPrefix({
  ...READ,
  prefix: "spark.kindling.vault.template.",
  placeholder: "<file>",
  doc: "How that file is written, as a template of Vault Agent's. Without one it has a line for each field of the secret.",
});

export const MODE: ConfKey<"injector" | "agent"> = confKey({
  ...READ,
  key: "spark.kindling.vault.mode",
  type: oneOf("injector", "agent"),
  default: "injector",
  doc: "Who puts Vault Agent into the pods: the cluster's agent injector, by annotations, or the step itself, where there is no injector.",
});

export const ADDRESS: ConfKey<string | undefined> = optionalConfKey({
  ...READ,
  key: "spark.kindling.vault.address",
  type: checked(text, (value) => /^https?:\/\/[^\s@]+$/.test(value), "a URI such as https://vault.example.com:8200"),
  doc: "Vault as pods reach it. The injector knows it; an agent of the pods' own has to be told.",
});

export const AUTH_PATH: ConfKey<string> = confKey({
  ...READ,
  key: "spark.kindling.vault.authPath",
  type: checked(text, isPath, "a path such as auth/kubernetes"),
  default: "auth/kubernetes",
  doc: "Where Vault's Kubernetes authentication for this cluster is mounted.",
});

export const NAMESPACE: ConfKey<string | undefined> = optionalConfKey({
  ...READ,
  key: "spark.kindling.vault.namespace",
  type: checked(text, isPath, "a path such as teams/search"),
  doc: "The namespace of Vault's, where it has several.",
});

export const AUDIENCE: ConfKey<string> = confKey({
  ...READ,
  key: "spark.kindling.vault.audience",
  type: checked(text, isServiceAudience, "a name without blanks and commas that is not the API server's own"),
  default: "vault",
  doc: "The audience of the token that pods show Vault, as Vault's role expects it. Nobody else takes that token.",
});

export const CA_SECRET: ConfKey<string | undefined> = optionalConfKey({
  ...READ,
  key: "spark.kindling.vault.caSecret",
  type: text,
  doc: "A Secret of the application's namespace whose entry ca.crt holds the certificates that Vault's is signed by.",
});

export const IMAGE: ConfKey<string> = confKey({
  ...READ,
  key: "spark.kindling.vault.image",
  type: text,
  default: "hashicorp/vault:2.0.4",
  doc: "The image of an agent of the pods' own. The injector has its own setting.",
});

export const REFRESH: ConfKey<boolean> = confKey({
  ...READ,
  key: "spark.kindling.vault.refresh",
  type: boolean,
  default: "false",
  doc: "Whether an agent of the pods' own stays to renew the files: a sidecar that ends with the pod's containers (Kubernetes 1.29 and later).",
});

function isPath(value: string): boolean {
  return /^[-\w.]+(\/[-\w.]+)*\/?$/.test(value);
}
