/** Reviews of tokens and of rights, in the notation of `parse-schema.ts`. */
export const reviewTypes = `
package io.k8s.api.authentication.v1
TokenReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec!: TokenReviewSpec #2
  status?: TokenReviewStatus #3
TokenReviewSpec
  token?: string #1
  audiences?: []string @atomic #2
TokenReviewStatus
  authenticated?: bool #1
  user?: UserInfo #2
  audiences?: []string @atomic #4
  error?: string #3
UserInfo
  username?: string #1
  uid?: string #2
  groups?: []string @atomic #3
  extra?: {}[]string #4
TokenRequest
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec!: TokenRequestSpec #2
  status?: TokenRequestStatus #3
TokenRequestSpec
  audiences!: []string @atomic #1
  expirationSeconds: *int64 #4 = 3600
  boundObjectRef: *BoundObjectReference #3
BoundObjectReference
  kind?: string #1
  apiVersion?: string #2
  name?: string #3
  uid?: string #4
TokenRequestStatus
  token!: string #1
  expirationTimestamp!: Time #2
SelfSubjectReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  status?: SelfSubjectReviewStatus #2
SelfSubjectReviewStatus
  userInfo?: UserInfo #1
package io.k8s.api.authorization.v1
SubjectAccessReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec!: SubjectAccessReviewSpec #2
  status?: SubjectAccessReviewStatus #3
SubjectAccessReviewSpec
  resourceAttributes?: *ResourceAttributes #1
  nonResourceAttributes?: *NonResourceAttributes #2
  user?: string #3
  groups?: []string @atomic #4
  extra?: {}[]string #5
  uid?: string #6
ResourceAttributes
  namespace?: string #1
  verb?: string #2
  group?: string #3
  version?: string #4
  resource?: string #5
  subresource?: string #6
  name?: string #7
NonResourceAttributes
  path?: string #1
  verb?: string #2
SubjectAccessReviewStatus
  allowed!: bool #1
  denied?: bool #4
  reason?: string #2
  evaluationError?: string #3
SelfSubjectAccessReview
  kind?: string
  apiVersion?: string
  metadata?: ObjectMeta #1
  spec!: SelfSubjectAccessReviewSpec #2
  status?: SubjectAccessReviewStatus #3
SelfSubjectAccessReviewSpec
  resourceAttributes?: *ResourceAttributes #1
  nonResourceAttributes?: *NonResourceAttributes #2
`;
