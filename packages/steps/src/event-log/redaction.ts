// Spark's default (internal/config/package.scala, SECRET_REDACTION_PATTERN) hides the first four; from Spark 4.3 on, the first five.
const WORDS = ["secret", "password", "token", "access[.]?key", "credential", "passwd", "passphrase"];

/** Names of keys: of Azure's accounts and signatures, of APIs, for encryption, of service accounts. */
const KEYS = ["(access|account|api|encryption|private)[._-]?key", "[.]sas([.]|$)"];

/** Parts of values: a signature in a URI, and a user with a password, also in Oracle's own form. */
const VALUES = [
  "[?&;](sig|signature|x-amz-signature)=",
  ":[/][/][^/?#@ ]*:[^/?#@ ]+@",
  "jdbc:oracle:[^:]+:[^@/ ]+[/][^@ ]+@",
];

/**
 * The `spark.redaction.regex` for drivers whose event log leaves the pod. It hides all that Spark's own default hides, and the
 * secrets that this default leaves in the environment and in the properties of jobs. Java and JavaScript read it in the same way,
 * and it has no backslash, which a properties file would take for its own.
 */
export const EVENT_LOG_REDACTION: string = `(?i)${[...WORDS, ...KEYS, ...VALUES].join("|")}`;
