/** Every secret is different, so that a fault names the place from which it came. */
const secret = (place: string): string => `Hx7-${place}-9qZ`;

/** Secrets that the configuration, the pod or the arguments name. */
const KNOWN = {
  s3: secret("s3"),
  store: secret("store"),
  login: secret("login"),
  variable: secret("variable"),
  azure: secret("azure"),
  own: secret("own"),
  env: secret("env"),
  list: secret("list"),
  annotation: secret("annotation"),
  label: secret("label"),
  given: secret("given"),
  set: secret("set"),
  json: secret("json"),
} as const;

const [EXIT, EVENT] = [secret("exit"), secret("event")];
const PEM = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"];
const JWT = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl";

/** Where an application may say its secrets, as users have found them in logs and in histories of applications. */
export interface ApplicationWithSecrets {
  /** None of these may be shown. */
  readonly secrets: readonly string[];
  /** Spark's configuration, as properties text. */
  readonly properties: string;
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly args: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Lines for the log of a driver or an executor. */
  readonly log: readonly string[];
  /** The text that a container leaves behind. */
  readonly exitMessage: string;
  /** The message of an event about the pod. */
  readonly event: string;
}

const CONFIGURATION: Readonly<Record<string, string>> = {
  "spark.app.name": "daily",
  "spark.hadoop.fs.s3a.secret.key": KNOWN.s3,
  "spark.driver.extraJavaOptions": `-Djavax.net.ssl.keyStorePassword=${KNOWN.store} -Dx=y`,
  "spark.my.database": `jdbc:postgresql://app:${KNOWN.login}@host/jobs`,
  "spark.kubernetes.driverEnv.DB_PASSWORD": KNOWN.variable,
  "spark.hadoop.fs.azure.account.key.jobs.dfs.core.windows.net": KNOWN.azure,
  "spark.redaction.regex": "(?i)private-thing|secret|password",
  "spark.my.private-thing": KNOWN.own,
  "spark.my.note": `whoever reads ${KNOWN.s3} should forget it`,
};

/** Before a secret, its place, and what follows it: the form alone tells that there is one. */
const BY_FORM: readonly (readonly [before: string, place: string, after: string])[] = [
  ["fs.x.secret.key=", "set-in-log", ""],
  ["Spark Command: java -Ddb.password=", "option", ""],
  ['{"user": "app", "password": "', "member", '"}'],
  ["Authorization: Bearer ", "bearer", ""],
  ["spark-submit --access-token ", "flag", ""],
  ['export API_KEY="correct ', "exported", '"'],
  // What Spark's client of the API server has logged (apache/spark 57281).
  ['DEBUG config: {"masterUrl":"https://host","oauthToken":"', "client", '","clientKeyData":"LS0tLS1CRUdJTi1o"}'],
  // Scala writes its maps so, also in plans of queries (AbsaOSS/ABRiS 212).
  ["FromAvro(Map(basic.auth.credentials.source -> USER_INFO, auth.token -> ", "map", "))"],
  ["jdbc:oracle:thin:app/", "oracle", "@host:1521/x"],
  ["reading s3a://access:", "user", "@bucket/key"],
  ["GET https://host/file?X-Amz-Signature=", "query", " failed"],
];

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Where only the text itself tells that it is a secret that is named elsewhere. */
const BY_TEXT: readonly string[] = [
  ...Object.values(KNOWN).map((known) => `login failed for ${known} at the host`),
  `encoded ${base64(KNOWN.s3)}`,
  `inside ${base64(`user:${KNOWN.variable}:more`)}`,
  `in a path /x/${encodeURIComponent(KNOWN.env)}/y`,
  `cut ${KNOWN.store.slice(0, -2)}...`,
];

/** An application that has secrets in all places, and says them everywhere. */
export function applicationWithSecrets(): ApplicationWithSecrets {
  const known = Object.values(KNOWN);
  const inLog = BY_FORM.map(([, place]) => secret(place));
  const others = ["LS0tLS1CRUdJTi1o", ...PEM, JWT.slice(-12), EXIT, EVENT, secret("userinfo")];
  return {
    secrets: [...known, ...known.map((one) => base64(one).slice(2, -6)), KNOWN.store.slice(0, -3), ...inLog, ...others],
    properties: Object.entries(CONFIGURATION)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(""),
    env: [
      { name: "DB_PASSWORD", value: KNOWN.env },
      { name: "LOGINS", value: `{"token": "${KNOWN.list}"}` },
    ],
    args: [
      ...["--password", KNOWN.given, `--token=${KNOWN.set}`, `{"secret": "${KNOWN.json}"}`],
      `https://app:${secret("userinfo")}@host/`,
    ],
    annotations: { "example.org/api-token": KNOWN.annotation },
    labels: { "api-token": KNOWN.label, team: "blue" },
    log: [
      "it begins",
      ...BY_FORM.map(([before, place, after]) => `${before}${secret(place)}${after}`),
      ...BY_TEXT,
      JWT,
      ...["-----BEGIN RSA PRIVATE KEY-----", ...PEM, "-----END RSA PRIVATE KEY-----"],
      `Exception in thread "main" java.lang.IllegalStateException: no login as ${KNOWN.env}, password=${EXIT}`,
      "\tat Main.main(Main.java:7)",
    ],
    exitMessage: `ended: login ${KNOWN.env} and ${KNOWN.s3}, token=${EXIT}`,
    event: `Error: exec failed: DB_PASSWORD=${EVENT}, ${KNOWN.variable}`,
  };
}
