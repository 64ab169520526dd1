/** A set of values to choose from, with usual and odd ones. */
interface Pool {
  readonly usual: readonly string[];
  readonly odd: readonly string[];
  readonly odds?: number;
}

export type ValueKind =
  | "memory"
  | "integer"
  | "fraction"
  | "boolean"
  | "duration"
  | "quantity"
  | "text"
  | "name"
  | "path"
  | "javaOptions"
  | "uris";

/** Texts that cause faults if code splits, quotes, replaces or encodes them wrongly. */
export const ODD_WORDS: readonly string[] = [
  ...[
    "",
    " ",
    " before",
    "behind ",
    "a b",
    "caf\u00e9 \u6570",
    "k=v",
    "k:v",
    "a,b",
    "#no",
    "!no",
    "back\\slash",
    'dou"ble',
    "sing'le",
  ],
  ...[
    "{{APP_ID}}",
    "n-{{APP_ID}}-{{EXECUTOR_ID}}",
    "{{SPARK_VERSION}}",
    "{{UNKNOWN}}",
    "$HOME",
    "$(POD_IP)",
    "tab\there",
    "line\nend",
  ],
  ...[
    "carriage\r\nreturn",
    "\u00a0hard",
    "sep\u2028x",
    "\u{1f600}",
    "L".repeat(70),
    "-dash",
    "--name",
    "%20",
    "sl/ash",
    "*",
    "null",
    "~",
  ],
  ...[
    "[list]",
    "{map}",
    "\\u0041",
    "end\\",
    "\x7f",
    "\x01",
    "\ufeffbom",
    "\ufb01",
    "true",
    "0644",
    "1e3",
    "$$x",
    "x${",
    "yes",
  ],
  ...[
    "${spark.app.name}",
    "${env:FUZZY}",
    "${system:user.name}",
    "${spark.none}",
    "${spark.app.id}",
    "${spark.driver.memory}",
    "${}",
  ],
  ...[
    "${spark.app.name",
    "$${spark.app.name}",
    "${env:NOT_SET}",
    "${other:x}",
    "${spark.kubernetes.namespace}/${spark.app.name}",
  ],
];

export const VALUES: Readonly<Record<Exclude<ValueKind, "uris">, Pool>> = {
  memory: {
    usual: ["1g", "512m", "2G", "3072M", "1024", "2gb", "600mb", "800000k", "1t", "10g", "450m", "1G ", " 2g"],
    odd: [
      ...[
        "2 g",
        "1.5g",
        "0",
        "-1g",
        "",
        "abc",
        "0x10",
        "99999999999g",
        "1kb",
        "1b",
        "1p",
        "8589934591g",
        "00512m",
        "1e3m",
        "+1g",
      ],
      ...["1gib", "2g,", "\u0663g", "0m", "1023k", "9223372036854775807b", "1pb", "2147483648m", "1Gi", "1\u00a0g"],
    ],
  },
  integer: {
    usual: ["1", "2", "3", "7", "16"],
    odd: [
      ...[
        "0",
        "-1",
        "+3",
        "007",
        " 2",
        "2 ",
        "1.5",
        "abc",
        "",
        "2147483647",
        "2147483648",
        "1_000",
        "\u0663",
        "0x1",
        "1e1",
        "65535",
      ],
      ...["65536", "99999999999999999999", "1L", "-0", "1m", "1k"],
    ],
  },
  fraction: {
    usual: ["0.1", "0.25", "0.4", "1.0", "2", "0.05", "1"],
    odd: [
      ...[
        "1e-1",
        ".5",
        "5.",
        "1d",
        "0.2f",
        " 0.3 ",
        "NaN",
        "Infinity",
        "-0.1",
        "0",
        "0.0",
        "abc",
        "",
        "0x1p-3",
        "1e400",
        "0.1.2",
      ],
      ...["1E-5", "0,1", "-0.0", "+0.2", "1e7", "0.30000000000000004", "10%"],
    ],
  },
  boolean: {
    usual: ["true", "false"],
    odd: ["TRUE", "True", " true", "false ", "yes", "1", "", "t", "maybe", "${spark.ui.enabled}", "on", "false\n"],
  },
  duration: {
    usual: ["10s", "1m", "500ms", "1h", "10", "2min"],
    odd: ["", "5 min", "abc", "-1s", "1S", "1us", "1.5s", "1d", "0", "10sec", "1 s", "99999999999d"],
  },
  quantity: {
    usual: ["500m", "1", "1.5", "2", "0.1", "100m"],
    odd: [
      ...[
        "",
        "abc",
        "1e3",
        "100Mi",
        " 1",
        "-1",
        "1K",
        "1k",
        "0",
        "1.",
        ".5",
        "1 ",
        "+1",
        "1E",
        "1Ei",
        "0.0001",
        "1e",
        "1n",
        "0.1m",
      ],
      ...["999999999999", "1.5Gi", "1m1", "1e-3", "1E3", "01"],
    ],
  },
  text: { usual: ["a", "b-c", "x.y", "team", "v1", "prod", "true", "8080"], odd: ODD_WORDS, odds: 0.2 },
  name: {
    usual: ["app", "etl-daily", "spark-pi", "My App_v1.0", "123-go"],
    odd: [
      ...[
        "a".repeat(90),
        "x.y_".repeat(40),
        "\u00dcn\u00ef \u6570\u636e!",
        "-lead",
        "--x--y",
        "",
        " ",
        "UPPER",
        "a.b",
        "9",
        "a--b",
        "_",
        "\u00e9",
      ],
      ...[
        "\ufb01t",
        "\u0130stanbul",
        "a\nb",
        "x".repeat(63),
        "x".repeat(47),
        "x".repeat(48),
        `${"x".repeat(30)}-`,
        "ends-",
        "9".repeat(70),
      ],
      ...[
        "\u212a",
        "\u00df",
        "a b  c",
        "{{APP_ID}}",
        "${spark.master}",
        `${"x".repeat(62)}-yy`,
        "\u{1f600} smile",
        "\uff11\uff12",
        "a\tb",
      ],
    ],
    odds: 0.35,
  },
  path: { usual: ["/a", "/b:/c", "{W}/x"], odd: ODD_WORDS, odds: 0.15 },
  javaOptions: {
    usual: [
      "-Da=b",
      "-Da=b -XX:+UseG1GC",
      "-Dx='a b'",
      '-Dx="a b"',
      "-Da=b\t-Dc=d",
      "-XX:+ExitOnOutOfMemoryError",
      "{{APP_ID}}",
    ],
    odd: [
      ...[
        "-Xmx1g",
        "-Dx='open",
        "a -Xmx2g",
        "",
        " ",
        "-DXmx=1",
        '-Dq=\\"x',
        "-Xms1g",
        "'-Xmx1g'",
        "-D\u00a0-Xmx1g",
        "-Dx=a\\",
      ],
      ...['-Dx="it\'s"', "-Dx='a\"b'", "-Dx=a -Dx=b", "-Dspark.x=y", "-Da=''", '""', "-Da=b\n-Dc=d"],
    ],
    odds: 0.25,
  },
};
