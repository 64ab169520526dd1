/** Resources that are asked and answered, never stored. */
export interface Review {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

export const REVIEWS: readonly Review[] = [
  { group: "", kind: "Binding", plural: "bindings", namespaced: true },
  { group: "authentication.k8s.io", kind: "SelfSubjectReview", plural: "selfsubjectreviews", namespaced: false },
  { group: "authentication.k8s.io", kind: "TokenReview", plural: "tokenreviews", namespaced: false },
  {
    group: "authorization.k8s.io",
    kind: "LocalSubjectAccessReview",
    plural: "localsubjectaccessreviews",
    namespaced: true,
  },
  {
    group: "authorization.k8s.io",
    kind: "SelfSubjectAccessReview",
    plural: "selfsubjectaccessreviews",
    namespaced: false,
  },
  {
    group: "authorization.k8s.io",
    kind: "SelfSubjectRulesReview",
    plural: "selfsubjectrulesreviews",
    namespaced: false,
  },
  { group: "authorization.k8s.io", kind: "SubjectAccessReview", plural: "subjectaccessreviews", namespaced: false },
];
