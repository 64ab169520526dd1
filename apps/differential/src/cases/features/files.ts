import type { FileContent } from "../case.ts";
import type { Draft } from "../draft.ts";
import { propertiesText } from "./properties.ts";

const K = "spark.kubernetes.";
const BYTES: FileContent = { base64: Buffer.from([0xff, 0xfe, 0, 1, 0x80]).toString("base64") };

/** Properties files that the command line names. */
export function propertiesFiles(draft: Draft): void {
  const { dice, files } = draft;
  files["p.conf"] = propertiesText(draft, dice.pick([1, 2, 3, 5]));
  const odd = ["{W}/none", "p.conf", "./p.conf", "{W}", "file://{W}/p.conf", ""];
  draft.flag("--properties-file", dice.mostly(["{W}/p.conf"], odd, 0.05));
  if (dice.chance(0.2)) draft.flags.push(["--load-spark-defaults"]);
  if (dice.chance(0.12)) {
    files["q.conf"] = propertiesText(draft, 2);
    draft.flag("--extra-properties-file", "{W}/q.conf");
  }
  if (dice.chance(0.06)) {
    files["r.conf"] = propertiesText(draft, 2);
    draft.flag("--extra-properties-file", "{W}/r.conf");
  }
}

const CONFIGURATION_FILES = [
  ...[
    "log4j2.properties",
    "metrics.properties",
    "fairscheduler.xml",
    "app.conf",
    "hive-site.xml",
    "workers",
    "spark-env.sh.template",
  ],
  ...[
    "x.template",
    ".hidden",
    "sparkx.conf",
    "spark-foo.properties",
    "spark.conf",
    "up_per",
    "empty",
    "crlf.txt",
    "big.txt",
  ],
];
const ODD_CONFIGURATION_FILES = [
  ...[
    "a.jar",
    "b.zip",
    "c.gz",
    "d.tar",
    "d.tgz",
    "\u00e9.txt",
    "sp ace",
    "bin",
    "SPARK.conf",
    "a.JAR",
    "e.tar.gz",
    "x.conf.template",
    "a#b",
  ],
  ...[
    "spark-defaults.conf.bak",
    "sub/in.txt",
    "a:b",
    "bom.txt",
    "java-opts",
    "x".repeat(253),
    "..data",
    "a%20b",
    "a=b",
    "a,b",
    "-x",
    "~x",
    "#x#",
  ],
];

/** A SPARK_CONF_DIR with files of many names. */
export function configurationFolder(draft: Draft): void {
  const { dice, env, files } = draft;
  env["SPARK_CONF_DIR"] = dice.mostly(["{W}/c", "{W}/c/"], ["c", "{W}/c#1", "{W}//c", "{W}/c d"], 0.1);
  const folder = env["SPARK_CONF_DIR"].replace(/^\{W\}\/+/, "").replace(/\/$/, "");
  if (dice.chance(0.7)) files[`${folder}/spark-defaults.conf`] = propertiesText(draft, dice.pick([1, 2, 4]));
  const names = [
    ...dice.some(CONFIGURATION_FILES, dice.pick([1, 2, 4])),
    ...(dice.chance(0.25) ? [dice.pick(ODD_CONFIGURATION_FILES)] : []),
  ];
  for (const name of names) files[`${folder}/${name}`] = contentOf(draft, name);
  if (dice.chance(0.03)) files[`${folder}/.#notes`] = { link: "user@host.1:2" };
  if (dice.chance(0.1)) {
    files[`${folder}/spark-env.sh`] = dice.pick([
      ...[
        "export SPARK_USER=sh\n",
        "SPARK_LOCAL_DIRS=/sh1\n",
        "HADOOP_CONF_DIR=$SPARK_CONF_DIR\n",
        "echo hi; unset NOPE",
        "SPARK_DRIVER_MEMORY=5g",
      ],
      ...[
        "export FUZZY='a b'\nexport PYSPARK_PYTHON=shpy",
        '[ -z "$FUZZY" ] && export FUZZY=unset\n',
        "HADOOP_CONF_DIR=\n",
      ],
    ]);
  }
  if (dice.chance(0.15))
    draft.conf(`${K}configMap.maxSize`, dice.mostly(["1048576", "2000"], ["100", "10", "0", "-1", "20"], 0.3));
}

function contentOf({ dice }: Draft, name: string): FileContent {
  switch (name) {
    case "bin":
      return BYTES;
    case "big.txt":
      return "x".repeat(dice.pick([10, 1000, 600_000, 1_048_000]));
    case "empty":
      return "";
    case "crlf.txt":
      return "a\r\nb\r\n";
    case "bom.txt":
      return "\ufeffb";
    case "java-opts":
      return dice.pick(["-Dspark.jo=1", "-Dspark.jo='a b'\n-Dspark.jo2=2", "-Dspark.app.name=jo"]);
    default:
      return dice.pick(["k=v\n", "\u00e9\n", "", "a\tb", "line\nline\nline\n"]);
  }
}

export function hadoopConfiguration(draft: Draft): void {
  const { dice, env, files } = draft;
  const variable = dice.mostly(["HADOOP_CONF_DIR"], ["YARN_CONF_DIR"], 0.1);
  env[variable] = dice.mostly(
    ["{W}/h", "{W}/h/"],
    ["{W}/none", "", "{W}/h,{W}/h2", "h", "{W}/h#1", "{W}/h/core-site.xml"],
    0.12,
  );
  files["h/keep"] = "k";
  const usual = [
    "core-site.xml",
    "hdfs-site.xml",
    "x.txt",
    "sub/y",
    "\u00e9.xml",
    ".h",
    "core-site.xml.bak",
    "log4j.properties",
  ];
  for (const name of dice.some(usual, dice.pick([0, 1, 2, 3]))) {
    const site = "<configuration><property><name>fs.defaultFS</name><value>file:///</value></property></configuration>";
    files[`h/${name}`] =
      name === "core-site.xml" && dice.chance(0.5)
        ? site
        : name.endsWith(".xml")
          ? "<configuration/>"
          : dice.pick(["x\n", "\u00e9", "", "a\r\nb"]);
  }
  const odd = { bin: BYTES, "sp ace": "s", "a:b": "c", "a#b": "d" };
  if (dice.chance(0.1)) files[`h/${dice.pick(Object.keys(odd))}`] = dice.pick(Object.values(odd));
  if (dice.chance(0.05)) draft.conf(`${K}hadoop.configMapName`, dice.pick(["hc", ""]));
}

export function kerberos(draft: Draft): void {
  const { dice, files } = draft;
  if (dice.chance(0.5)) {
    files["krb5.conf"] = "[libdefaults]\n";
    draft.conf(
      `${K}kerberos.krb5.path`,
      dice.mostly(["{W}/krb5.conf"], ["{W}/none", "", "file://{W}/krb5.conf", "krb5.conf"], 0.12),
    );
  }
  if (dice.chance(0.1)) draft.conf(`${K}kerberos.krb5.configMapName`, dice.pick(["k", ""]));
  if (dice.chance(0.4)) {
    files["k.keytab"] = { base64: "BQIAAAAA" };
    const principal = dice.mostly(["p@R", "p/h@R"], [""], 0.06);
    const keytab = dice.mostly(
      ["{W}/k.keytab", "local:///etc/k"],
      ["{W}/none", "file://{W}/k.keytab", "", "k.keytab"],
      0.12,
    );
    if (dice.chance(0.96))
      draft.conf(dice.mostly(["spark.kerberos.principal"], ["spark.yarn.principal"], 0.3), principal);
    if (dice.chance(0.96)) draft.conf(dice.mostly(["spark.kerberos.keytab"], ["spark.yarn.keytab"], 0.3), keytab);
  }
  if (dice.chance(0.3)) {
    if (dice.chance(0.95)) draft.conf(`${K}kerberos.tokenSecret.name`, dice.mostly(["t"], [""], 0.06));
    if (dice.chance(0.95)) draft.conf(`${K}kerberos.tokenSecret.itemKey`, dice.mostly(["k"], ["", "a/b"], 0.06));
  }
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  caCertFile: "{W}/ca.crt",
  clientKeyFile: "{W}/key",
  clientCertFile: "{W}/crt",
  oauthToken: "t0k",
  oauthTokenFile: "{W}/tok",
  serviceAccountName: "sa",
};

/** Credentials for the driver. */
export function credentials(draft: Draft): void {
  const { dice, files } = draft;
  Object.assign(files, { "ca.crt": "CA", key: "KEY", crt: "CRT", tok: "TOK\n" });
  const who = dice.mostly(["driver.", "driver.", "driver.mounted."], [""], 0.05);
  for (const name of dice.some(Object.keys(CREDENTIALS), dice.pick([1, 1, 2, 3]))) {
    const odd = ["", "{W}/none", "{W}", "rel", "local:///x", "file://{W}/ca.crt"];
    draft.conf(`${K}authenticate.${who}${name}`, dice.mostly([CREDENTIALS[name] ?? ""], odd));
  }
}
