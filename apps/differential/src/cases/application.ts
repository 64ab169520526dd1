import type { Draft } from "./draft.ts";

const CLASSES = ["a.B", "org.example.Main", "org.apache.spark.examples.SparkPi", "x$Y"];
const ODD_CLASSES = [
  ...[
    "",
    "a b",
    "\u00e9.X",
    "a.B ",
    "org.apache.spark.deploy.PythonRunner",
    "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2",
  ],
  ...[
    "org.apache.spark.sql.connect.service.SparkConnectServer",
    "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver",
    "--name",
  ],
];
const JARS = [
  "local:///opt/x.jar",
  "local:///opt/x.jar",
  "{W}/f/app.jar",
  "file://{W}/f/app.jar",
  "local:/x.jar",
  "spark-internal",
];
const ODD_JARS = [
  ...[
    "http://h/x.jar",
    "https://h/p/x.jar?sig=a%20b",
    "s3a://b/x.jar",
    "hdfs://nn:8020/x.jar",
    "local:///a b.jar",
    "local:///x.jar#frag",
  ],
  ...[
    "local:///dir/",
    "rel/x.jar",
    "gs://b/x",
    "local:///\u00e9.jar",
    "x.class",
    "{W}/f/none.jar",
    "local:///x.JAR",
    "ftp://h/x.jar",
  ],
];
const PYTHONS = ["local:///opt/m.py", "local:///opt/m.py", "{W}/f/main.py", "f/main.py", "file://{W}/f/main.py"];
const ODD_PYTHONS = [
  ...[
    "http://h/m.py",
    "s3a://b/m.py",
    "local:///a b.py",
    "local:///m.py#x",
    "m.py?x=.py",
    "local:///m.PY",
    "local:///x.py3",
  ],
  ...["{W}/f/none.py", "local:///\u00e9.py", "{W}/f/caf\u00e9.py"],
];
const RS = ["local:///m.R", "local:///m.r", "{W}/f/m.R"];
const OTHERS = [
  ...[
    "",
    " ",
    "pyspark-shell",
    "spark-shell",
    "-",
    "--",
    "local:",
    "://x",
    "a:b:c",
    "#x",
    "local:///%zz.jar",
    "http://[::1",
    "sparkr-shell",
  ],
  ...["{W}/f", "connect-shell", "*", "{W}/f/*.jar", "local:///x", "x.egg", "y.zip", "local:///opt/x.ipynb"],
];

/** The application and its arguments; the flags that it needs are added. */
export function application(draft: Draft): readonly string[] {
  const { dice } = draft;
  const resource = resourceOf(draft);
  if (resource.includes("{W}") || resource.startsWith("f/")) draft.needFiles();
  const args = Array.from({ length: dice.pick([0, 0, 1, 2, 4]) }, () => draft.text());
  const looksLikeFlags = ["--conf", "spark.z=1", "--name", "--", "-v", "x.py", "{W}/f/one.jar", "--class"];
  if (dice.chance(0.08)) args.push(...dice.some(looksLikeFlags, 2));
  return dice.chance(0.005) ? [] : [resource, ...args];
}

function resourceOf(draft: Draft): string {
  const { dice, flags } = draft;
  const className = (): void => {
    flags.push(["--class", dice.mostly(CLASSES, ODD_CLASSES, 0.06)]);
  };
  switch (
    dice.pick([
      "jar",
      "jar",
      "jar",
      "jar",
      "jar",
      "python",
      "python",
      "python",
      "r",
      dice.mostly(["jar"], ["other"], 0.3),
    ])
  ) {
    case "jar":
      if (dice.chance(0.99)) className();
      return dice.mostly(JARS, ODD_JARS, 0.1);
    case "python":
      if (dice.chance(0.03)) className();
      return dice.mostly(PYTHONS, ODD_PYTHONS, 0.1);
    case "r":
      return dice.mostly(RS, ["http://h/m.R"], 0.05);
    default:
      if (dice.chance(0.7)) className();
      return dice.pick(OTHERS);
  }
}
