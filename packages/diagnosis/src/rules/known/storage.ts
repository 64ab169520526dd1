import type { KnownFailure } from "./known-failure.ts";

const S3_RIGHTS =
  "the account that driver and executors run as needs that right in the store: the role of their service account (IRSA, Pod Identity: " +
  "spark.kubernetes.authenticate.driver.serviceAccountName, and .executor), or spark.hadoop.fs.s3a.access.key and secret.key from a Secret, and the bucket's policy";
const S3_CREDENTIALS =
  "no credentials are found in the pod: annotate the service account of driver and executors with its role, or set " +
  "spark.hadoop.fs.s3a.aws.credentials.provider and its keys, from a Secret as a rule";
const DISK =
  "give Spark's local directories a volume of their own: spark.kubernetes.*.volumes.*.spark-local-dir-1.*, or ask for more ephemeral-storage in a pod template";

/** Object stores, disks, files. */
export const storage = (): readonly KnownFailure[] => [
  {
    words: /is not authorized to perform: ([\w:*]+)/,
    cause: "AccessDenied",
    advice: (action) =>
      `the role of the pods' service account needs ${action} on that resource: add it to the role's policy (and to the resource's own, such as a key's or a bucket's)`,
  },
  {
    words:
      /password authentication failed|Access denied for user|Login failed for user|ORA-01017|Incorrect username or password|no pg_hba\.conf entry/,
    cause: "AccessDenied",
    advice:
      "the database does not accept this user from the pod: check user and password (the Secret that they come from), and that it lets in the pods' addresses",
  },
  {
    words: /SaslAuthenticationException|TopicAuthorizationException|GroupAuthorizationException|SSL handshake failed/,
    cause: "AccessDenied",
    advice:
      "Kafka does not accept the client: check kafka.security.protocol, kafka.sasl.* and the ACLs of topic and group",
  },
  {
    words:
      /(?:AccessDeniedException|FileNotFoundException): (\.\/\S+|\/opt\/spark\/work-dir\/\S+)(?: \(Permission denied\))?/,
    cause: "DiskFull",
    advice:
      "the container's user cannot write its working directory, where files and jars of the application are put: give the image's " +
      "WORKDIR to that user (chmod g+w, group 0), set workingDir in the pod template, or run as the image's own user",
  },
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
  {
    words: /Permission denied: user=([\w.-]+), access=(\w+), inode="([^"]+)"/,
    cause: "AccessDenied",
    advice: (user, access, path) =>
      `HDFS does not give ${user} the right ${access} on ${path}: HADOOP_USER_NAME (spark.kubernetes.driverEnv.HADOOP_USER_NAME, spark.executorEnv.HADOOP_USER_NAME) names another user, or hdfs dfs -chmod`,
  },
  { words: /No space left on device|Disk quota exceeded|SparkOutOfDisk/, cause: "DiskFull", advice: DISK },
  {
    words:
      /Failed to create (?:a temp|local) dir|Failed to create a temp directory|Cannot create directory .*spark|Read-only file system|mkdir of \S+ failed|Mkdirs failed to create (\S+)/i,
    cause: "DiskFull",
    advice:
      "the container's user cannot write there: mount a volume that it can write (emptyDir with fsGroup for spark.local.dir), set securityContext.fsGroup in the pod template, or name another path",
  },
  {
    words:
      /(?:PATH_NOT_FOUND\]|Path does not exist:|Input path does not exist:|FileNotFoundException: File file:).*?(file:\S+)/,
    cause: "FileNotFound",
    advice:
      "file: paths are looked for in the container of the driver and of every executor: give a file of your disk with --files, and read it by its name alone; or build it into the image, mount a volume at both, or put it in an object store",
  },
  {
    words:
      /PATH_NOT_FOUND\]|Path does not exist: |Input path does not exist: |FileNotFoundException: (?:No such file or directory: )?(?:s3[an]?|gs|abfss?|wasbs?|hdfs|oss):/,
    cause: "FileNotFound",
    advice: "correct the path, and check that the account of the pods may list it",
  },
  {
    words: /(?:FileAlreadyExistsException|PATH_ALREADY_EXISTS\]|path \S+ already exists)/,
    advice: 'the output is there already: write to a new path, or with mode "overwrite" or "append"',
  },
  {
    words: /(?:FileNotFoundException|NoSuchFileException|No such file or directory): ?'?(?:File )?([^\s']*\.ivy2\S*)/,
    advice:
      "spark.jars.ivy=/tmp/.ivy2 has packages resolved where the container's user can write; spark.kindling.packages.resolve=submitter resolves them before pods are made",
  },
];
