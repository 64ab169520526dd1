/** Reviews of tokens and of rights, in the notation of `parse-schema.ts`. */
export const reviewTypes = `
package io.k8s.api.authentication.v1
TokenReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec!: TokenReviewSpec
  status?: TokenReviewStatus
TokenReviewSpec
  token?: string
  audiences?: []string @atomic
TokenReviewStatus
  authenticated?: bool
  user?: UserInfo
  audiences?: []string @atomic
  error?: string
UserInfo
  username?: string
  uid?: string
  groups?: []string @atomic
  extra?: {}[]string
TokenRequest
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec!: TokenRequestSpec
  status?: TokenRequestStatus
TokenRequestSpec
  audiences!: []string @atomic
  expirationSeconds: *int64 = 3600
  boundObjectRef: *BoundObjectReference
BoundObjectReference
  kind?: string
  apiVersion?: string
  name?: string
  uid?: string
TokenRequestStatus
  token!: string
  expirationTimestamp!: Time
SelfSubjectReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  status?: SelfSubjectReviewStatus
SelfSubjectReviewStatus
  userInfo?: UserInfo
package io.k8s.api.authorization.v1
SubjectAccessReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec!: SubjectAccessReviewSpec
  status?: SubjectAccessReviewStatus
SubjectAccessReviewSpec
  resourceAttributes?: *ResourceAttributes
  nonResourceAttributes?: *NonResourceAttributes
  user?: string
  groups?: []string @atomic
  extra?: {}[]string
  uid?: string
ResourceAttributes
  namespace?: string
  verb?: string
  group?: string
  version?: string
  resource?: string
  subresource?: string
  name?: string
  fieldSelector?: *FieldSelectorAttributes
  labelSelector?: *LabelSelectorAttributes
FieldSelectorAttributes
  rawSelector?: string
  requirements?: []FieldSelectorRequirement @atomic
LabelSelectorAttributes
  rawSelector?: string
  requirements?: []LabelSelectorRequirement @atomic
NonResourceAttributes
  path?: string
  verb?: string
SubjectAccessReviewStatus
  allowed!: bool
  denied?: bool
  reason?: string
  evaluationError?: string
SelfSubjectAccessReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec!: SelfSubjectAccessReviewSpec
  status?: SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec
  resourceAttributes?: *ResourceAttributes
  nonResourceAttributes?: *NonResourceAttributes
LocalSubjectAccessReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec!: SubjectAccessReviewSpec
  status?: SubjectAccessReviewStatus
SelfSubjectRulesReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta
  spec!: SelfSubjectRulesReviewSpec
  status?: SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec
  namespace?: string
SubjectRulesReviewStatus
  resourceRules!: []ResourceRule @atomic
  nonResourceRules!: []NonResourceRule @atomic
  incomplete!: bool
  evaluationError?: string
ResourceRule
  verbs!: []string @atomic
  apiGroups?: []string @atomic
  resources?: []string @atomic
  resourceNames?: []string @atomic
NonResourceRule
  verbs!: []string @atomic
  nonResourceURLs?: []string @atomic
`;
