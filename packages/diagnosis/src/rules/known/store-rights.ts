import type { KnownFailure } from "./known-failure.ts";

const S3_RIGHTS =
  "the account that driver and executors run as needs that right in the store: the role of their service account (IRSA, Pod Identity: " +
  "spark.kubernetes.authenticate.driver.serviceAccountName, and .executor), or spark.hadoop.fs.s3a.access.key and secret.key from a Secret, and the bucket's policy";
const S3_CREDENTIALS =
  "no credentials are found in the pod: annotate the service account of driver and executors with its role, or set " +
  "spark.hadoop.fs.s3a.aws.credentials.provider and its keys, from a Secret as a rule";

/** What object stores answer to accounts that may not read or write there. */
export const storeRights = (): readonly KnownFailure[] => [
  {
    words: /AssumeRoleWithWebIdentity|sts:AssumeRole|not authorized to perform: sts/i,
    cause: "AccessDenied",
    advice:
      "the role's trust policy has to name the cluster's OIDC provider and the service account NAMESPACE:NAME that driver and executors run as",
  },
  {
    words: /SignatureDoesNotMatch|InvalidAccessKeyId|AWS Access Key Id you provided does not exist/,
    cause: "AccessDenied",
    advice:
      "the store does not know these keys: correct spark.hadoop.fs.s3a.access.key and secret.key, or the Secret that they come from, and the endpoint that they belong to (spark.hadoop.fs.s3a.endpoint)",
  },
  {
    words: /ExpiredToken|token included in the request is expired|RequestTimeTooSkewed/,
    cause: "AccessDenied",
    advice:
      "the credentials have run out: give the pods a role of their own (IRSA, Pod Identity) in place of copied session keys, or renew them",
  },
  {
    words:
      /No AWS Credentials provided|NoAuthWithAWSException|NoAwsCredentialsException|Unable to load (?:AWS )?credentials|CredentialInitializationException|Unable to load credentials from any/i,
    cause: "AccessDenied",
    advice: S3_CREDENTIALS,
  },
  {
    words:
      /PermanentRedirect|301 Moved Permanently|must be addressed using the specified endpoint|AuthorizationHeaderMalformed|region .* is wrong; expecting|Unable to find a region/i,
    advice: "the bucket is in another region: spark.hadoop.fs.s3a.endpoint.region, and spark.hadoop.fs.s3a.endpoint",
  },
  {
    words: /NoSuchBucket|bucket does not exist|Bucket \S+ does not exist/i,
    advice: "correct the bucket's name, and spark.hadoop.fs.s3a.endpoint where the store is not Amazon's",
  },
  {
    words:
      /GoogleJsonResponseException: 403|(?:storage\.objects\.\w+ access|does not have (?:serviceusage|storage)\.\S+|googleapis\.com.*403|"code" ?: ?403)/,
    cause: "AccessDenied",
    advice:
      "the Google service account needs that role on the bucket: Workload Identity binds it to the service account of driver and executors, or spark.hadoop.google.cloud.auth.service.account.json.keyfile names its key",
  },
  {
    words:
      /AuthorizationPermissionMismatch|AuthorizationFailure|This request is not authorized to perform this operation|AADToken|MsiTokenProvider/,
    cause: "AccessDenied",
    advice:
      "the identity needs the role Storage Blob Data Contributor on the account, and spark.hadoop.fs.azure.account.* its credentials",
  },
  {
    words:
      /AccessDenied(?:Exception)?\b.*(?:s3|S3|amazon)|S3Exception.*(?:403|Access Denied)|AmazonS3Exception.*(?:403|Forbidden|Access Denied)|(?:s3[an]?:\/\/|on \S+: ).*(?:403|Forbidden|Access Denied)/,
    cause: "AccessDenied",
    advice: S3_RIGHTS,
  },
];
