// @ts-check
// What is installed together with a package. An addition to these lists is an addition to every user's installation.

const PROXIES = ["socks", "ip-address", "smart-buffer"];
const HTTP = ["@kindling/http", "@kindling/outside", ...PROXIES];
const OBJECT_STORE = ["@kindling/object-store", "@kindling/core-spec", "kubernetes-types", "aws4fetch", ...HTTP];
const SUBMIT = [
  ...OBJECT_STORE,
  "@kindling/diagnosis",
  "@kindling/gateway-client",
  "@kindling/kerberos",
  "@kindling/kube",
  "@kindling/kube-objects",
  "@kindling/staging-client",
  "@kindling/steps",
  "@noble/hashes",
  "yaml",
];
/**
 * Optional peers that an entry of a package needs. It cannot be imported without them.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const PEERS_OF_ENTRIES = { "@kindling/command-line": ["yaml"] };

/** For packages that are libraries, by name. @type {Readonly<Record<string, readonly string[]>>} */
export const COMPANY = {
  "@kindling/core-spec": ["kubernetes-types"],
  "@kindling/steps": ["@kindling/core-spec", "kubernetes-types"],
  "@kindling/outside": [],
  "@kindling/diagnosis": ["@kindling/core-spec", "kubernetes-types"],
  "@kindling/admission": ["@kindling/core-spec", "kubernetes-types"],
  "@kindling/spark-application": ["@kindling/core-spec", "kubernetes-types"],
  "@kindling/spark-arguments": ["@kindling/core-spec", "kubernetes-types"],
  "@kindling/http": HTTP.slice(1),
  "@kindling/object-store": OBJECT_STORE.slice(1),
  "@kindling/command-line": ["@kindling/core-spec", "@kindling/outside", "kubernetes-types", "yaml"],
  "@kindling/kerberos": ["@kindling/core-spec", "@kindling/outside", "kubernetes-types"],
  "@kindling/kube-objects": [],
  "@kindling/kube": ["@kindling/kube-objects", ...HTTP, "kubernetes-types", "yaml"],
  "@kindling/service": [
    "@kindling/command-line",
    "@kindling/core-spec",
    "@kindling/kube",
    "@kindling/kube-objects",
    "kubernetes-types",
    "yaml",
    ...HTTP,
  ],
  "@kindling/scheduler": [
    "@kindling/core-spec",
    "@kindling/kube",
    "@kindling/kube-objects",
    "@kindling/steps",
    "yaml",
    "kubernetes-types",
    ...HTTP,
  ],
  "@kindling/gateway-client": [
    "@kindling/core-spec",
    "@kindling/kube",
    "@kindling/kube-objects",
    "kubernetes-types",
    "yaml",
    ...HTTP,
  ],
  "@kindling/staging-client": ["@kindling/core-spec", "kubernetes-types", ...HTTP],
  "@kindling/localizer": ["@kindling/command-line", "@kindling/staging-client", ...OBJECT_STORE, "pend", "yauzl"],
  "@kindling/api-server": [
    "@kindling/core-spec",
    "@kindling/kube-objects",
    "@kindling/outside",
    "kubernetes-types",
    "rfc6902",
    "yaml",
  ],
  "@kindling/devcluster": [
    "@kindling/api-server",
    "@kindling/core-spec",
    "@kindling/kube-objects",
    "@kindling/outside",
    "kubernetes-types",
    "rfc6902",
    "yaml",
  ],
  "@kindling/submit": SUBMIT,
  "@kindling/submit-cli": [
    "@kindling/command-line",
    "@kindling/spark-application",
    "@kindling/spark-arguments",
    "@kindling/submit",
    ...SUBMIT,
  ],
};

/**
 * Servers bring their web framework. From our packages, they bring only the listed ones.
 *
 * @type {[name: string, command: string, company: readonly string[]][]}
 */
export const SERVERS = [
  [
    "@kindling/staging-server",
    "kindling-staging-server",
    [
      "@kindling/command-line",
      "@kindling/controller",
      "@kindling/core-spec",
      "@kindling/http",
      "@kindling/kube",
      "@kindling/kube-objects",
      "@kindling/object-store",
      "@kindling/outside",
      "@kindling/service",
      "@kindling/staging-client",
    ],
  ],
  [
    "@kindling/gateway",
    "kindling-gateway",
    [
      "@kindling/admission",
      "@kindling/api-server",
      "@kindling/command-line",
      "@kindling/controller",
      "@kindling/core-spec",
      "@kindling/gateway-client",
      "@kindling/http",
      "@kindling/kube",
      "@kindling/kube-objects",
      "@kindling/outside",
      "@kindling/service",
      "@kindling/steps",
    ],
  ],
  [
    "@kindling/submission-server",
    "kindling-serve",
    [
      "@kindling/command-line",
      "@kindling/controller",
      "@kindling/core-spec",
      "@kindling/diagnosis",
      "@kindling/gateway-client",
      "@kindling/http",
      "@kindling/kerberos",
      "@kindling/kube",
      "@kindling/kube-objects",
      "@kindling/object-store",
      "@kindling/outside",
      "@kindling/service",
      "@kindling/spark-arguments",
      "@kindling/staging-client",
      "@kindling/steps",
      "@kindling/submit",
    ],
  ],
  [
    "@kindling/operator",
    "kindling-operator",
    [
      "@kindling/command-line",
      "@kindling/controller",
      "@kindling/core-spec",
      "@kindling/diagnosis",
      "@kindling/gateway-client",
      "@kindling/http",
      "@kindling/kerberos",
      "@kindling/kube",
      "@kindling/kube-objects",
      "@kindling/object-store",
      "@kindling/outside",
      "@kindling/service",
      "@kindling/spark-application",
      "@kindling/staging-client",
      "@kindling/steps",
      "@kindling/submit",
    ],
  ],
  [
    "@kindling/dev",
    "kindling-dev",
    [
      "@kindling/admission",
      "@kindling/api-server",
      "@kindling/command-line",
      "@kindling/controller",
      "@kindling/core-spec",
      "@kindling/devcluster",
      "@kindling/diagnosis",
      "@kindling/gateway",
      "@kindling/gateway-client",
      "@kindling/http",
      "@kindling/kerberos",
      "@kindling/kube",
      "@kindling/kube-objects",
      "@kindling/localizer",
      "@kindling/object-store",
      "@kindling/operator",
      "@kindling/outside",
      "@kindling/service",
      "@kindling/spark-application",
      "@kindling/spark-arguments",
      "@kindling/staging-client",
      "@kindling/staging-server",
      "@kindling/steps",
      "@kindling/submit",
      "@kindling/submit-cli",
    ],
  ],
];
