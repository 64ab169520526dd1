import type { PolicyRule } from "../objects/rbac.ts";

const READ = ["get", "list", "watch"];
const WRITE = ["create", "delete", "deletecollection", "patch", "update"];

const READABLE: PolicyRule[] = [
  {
    apiGroups: [""],
    resources: [
      "configmaps",
      "events",
      "namespaces",
      "namespaces/status",
      "persistentvolumeclaims",
      "persistentvolumeclaims/status",
      "pods",
      "pods/log",
      "pods/status",
      "resourcequotas",
      "resourcequotas/status",
      "serviceaccounts",
      "services",
      "services/status",
    ],
    verbs: READ,
  },
  { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: READ },
  {
    apiGroups: ["apps"],
    resources: [
      "deployments",
      "deployments/scale",
      "replicasets",
      "replicasets/scale",
      "statefulsets",
      "statefulsets/scale",
    ],
    verbs: READ,
  },
  { apiGroups: ["batch"], resources: ["jobs", "jobs/status"], verbs: READ },
  { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: READ },
  { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: READ },
];

const EDITABLE: PolicyRule[] = [
  { apiGroups: [""], resources: ["secrets"], verbs: READ },
  {
    apiGroups: [""],
    resources: ["pods", "pods/eviction"],
    verbs: [...WRITE, "get"],
  },
  {
    apiGroups: [""],
    resources: ["configmaps", "events", "persistentvolumeclaims", "secrets", "serviceaccounts", "services"],
    verbs: WRITE,
  },
  { apiGroups: [""], resources: ["serviceaccounts/token"], verbs: ["create"] },
  {
    apiGroups: ["apps"],
    resources: [
      "deployments",
      "deployments/scale",
      "replicasets",
      "replicasets/scale",
      "statefulsets",
      "statefulsets/scale",
    ],
    verbs: WRITE,
  },
  { apiGroups: ["batch"], resources: ["jobs"], verbs: WRITE },
  { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: WRITE },
  { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: WRITE },
  { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: [...READ, ...WRITE] },
];

const GRANTABLE: PolicyRule[] = [
  { apiGroups: ["rbac.authorization.k8s.io"], resources: ["rolebindings", "roles"], verbs: [...READ, ...WRITE] },
];

/** The cluster roles that users expect, with their rights for the resources served here. */
export const BOOTSTRAP_ROLES: Readonly<Record<string, readonly PolicyRule[]>> = {
  "cluster-admin": [
    { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    { nonResourceURLs: ["*"], verbs: ["*"] },
  ],
  admin: [...READABLE, ...EDITABLE, ...GRANTABLE],
  edit: [...READABLE, ...EDITABLE],
  view: READABLE,
  "system:basic-user": [
    {
      apiGroups: ["authorization.k8s.io"],
      resources: ["selfsubjectaccessreviews"],
      verbs: ["create"],
    },
    { apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"], verbs: ["create"] },
  ],
  "system:discovery": [
    {
      nonResourceURLs: [
        "/api",
        "/api/*",
        "/apis",
        "/apis/*",
        "/healthz",
        "/livez",
        "/openapi",
        "/openapi/*",
        "/readyz",
        "/version",
        "/version/",
      ],
      verbs: ["get"],
    },
  ],
  "system:service-account-issuer-discovery": [
    { nonResourceURLs: ["/.well-known/openid-configuration", "/openid/v1/jwks"], verbs: ["get"] },
  ],
  "system:auth-delegator": [
    { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
    { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
  ],
};

/** Which groups have which of these roles from the beginning. */
export const BOOTSTRAP_BINDINGS: Readonly<Record<string, readonly string[]>> = {
  "cluster-admin": ["system:masters"],
  "system:basic-user": ["system:authenticated"],
  "system:discovery": ["system:authenticated"],
  "system:service-account-issuer-discovery": ["system:serviceaccounts"],
};
