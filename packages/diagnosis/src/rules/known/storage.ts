import type { KnownFailure } from "./known-failure.ts";
import { storeRights } from "./store-rights.ts";

const DISK =
  "give Spark's local directories a volume of their own: spark.kubernetes.*.volumes.*.spark-local-dir-1.*, or more of the node's disk: spark.kindling.ephemeralStorage";

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
  ...storeRights(),
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
