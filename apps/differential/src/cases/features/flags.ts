import type { Draft } from "../draft.ts";
import type { ValueKind } from "../values.ts";
import { CHOICES, KEYS_OF_FLAGS, TYPED_KEYS } from "../typed-keys.ts";

/** Flags with values, some twice, some beside a `--conf` of their key. */
export function flags(draft: Draft): void {
  const { dice } = draft;
  for (const [flag, key, kind] of dice.some(KEYS_OF_FLAGS, dice.pick([1, 2, 3]))) {
    draft.flag(flag, draft.value(kind));
    if (dice.chance(0.2)) draft.flag(flag, draft.value(kind));
    if (key !== "" && dice.chance(0.3)) draft.conf(key, draft.value(kind));
  }
}

/** Keys that a submission reads, with values of their type, and sometimes of another. */
export function typedKeys(draft: Draft): void {
  const { dice } = draft;
  for (let count = dice.pick([1, 1, 2, 3]); count > 0; count--) {
    const [kind, keys] = dice.pick(TYPED_KEYS);
    const key = dice.pick(keys);
    const choices = CHOICES[key];
    const value = choices !== undefined ? dice.mostly(...choices) : draft.value(kind);
    draft.conf(key, dice.chance(0.02) ? draft.text() : value);
  }
}

/** Any key that Spark has. */
export function sparkKeys(draft: Draft, known: readonly string[]): void {
  const { dice } = draft;
  const kinds = ["text", "integer", "boolean", "memory", "duration"] as const satisfies ValueKind[];
  for (let count = dice.pick([1, 2]); count > 0; count--) draft.conf(dice.pick(known), draft.value(dice.pick(kinds)));
}

/** Unknown keys, and texts that are no keys. */
export function oddKeys(draft: Draft): void {
  const keys = [
    ...[
      "foo",
      "spark",
      "spark.",
      "spark. x",
      "spark.\u00e9",
      "SPARK.x",
      "spark.x y",
      "hadoop.x",
      "spark.=",
      "spark.a#b",
      "spark.a!b",
    ],
    ...[
      " spark.a",
      "spark.a:b",
      "spark.hadoop.fs.x",
      "spark.sql.x",
      "__proto__",
      "spark.__proto__",
      "constructor",
      "toString",
    ],
    ...[
      "spark.yarn.principal",
      "spark.akka.frameSize",
      "spark.x\\y",
      "spark.x\ty",
      "spark.kubernetes.driver.label",
      "spark..x",
    ],
  ];
  draft.conf(draft.dice.pick(keys), draft.text());
}

/** Flags in unusual forms that nobody should write. */
export function oddFlags(draft: Draft): void {
  const harmless = [
    ...[
      ["--supervise"],
      ["--load-spark-defaults"],
      ["--name=a=b"],
      ["--conf=spark.a=b=c"],
      ["--name", ""],
      ["--jars", ""],
    ],
    ...[
      ["--py-files", ""],
      ["--master", "k8s://127.0.0.1:{PORT}"],
      ["--master", "k8s://http://127.0.0.1:{PORT}/"],
      ["-c", "spark.a=b"],
    ],
    ...[
      ["--deploy-mode", "cluster"],
      ["--files", ""],
      ["--archives", ""],
      ["--queue", ""],
      ["--class", "a.B"],
    ],
  ];
  const wrong = [
    ...[
      ["--nope"],
      ["--nope", "x"],
      ["--nope=x"],
      ["-x"],
      ["--name="],
      ["--conf"],
      ["--name"],
      ["--conf", "novalue"],
      ["--conf", "=v"],
    ],
    ...[
      ["--conf", ""],
      ["--usage-error"],
      ["--supervise=true"],
      ["--verbose=1"],
      ["--driver-memory="],
      ["--class="],
      ["--CONF", "spark.a=b"],
    ],
    ...[
      ["---name", "x"],
      ["--name=a\nb"],
      ["--extra-properties-file", "{W}/none"],
      ["--properties-file", "{W}/none"],
      ["--class", ""],
    ],
    ...[
      ["--master", "k8s://http://127.0.0.1:{PORT}/base"],
      ["--master", "k8s:http://x"],
      ["--master", "K8S://x"],
      ["--driver-memory"],
    ],
    ...[
      ["--status"],
      ["-h2"],
      ["--files="],
      ["--num-executors", "0"],
      ["--driver-cores", "-1"],
      ["--total-executor-cores", "x"],
      ["--"],
    ],
    ...[
      ["--deploy-mode", "Cluster"],
      ["--deploy-mode", "weird"],
      ["-"],
      ["--conf", "--name"],
      ["--kill"],
      ["--num-executors", "1.0"],
    ],
  ];
  draft.flags.push([...draft.dice.mostly(harmless, wrong, 0.4)]);
}

/** `-v`, which must change nothing. */
export function verbose(draft: Draft): void {
  draft.flags.push([draft.dice.pick(["--verbose", "-v"])]);
}

export function ports(draft: Draft): void {
  const { dice } = draft;
  const keys = ["spark.driver.port", "spark.ui.port", "spark.blockManager.port", "spark.driver.blockManager.port"];
  for (const key of dice.some([...keys, "spark.connect.grpc.binding.port"], dice.pick([1, 2, 3]))) {
    const odd = ["0", "65536", "-1", "abc", "", " 80", "80 ", "${spark.ui.port}", "+80", "080"];
    draft.conf(key, dice.mostly(["1", "4040", "7078", "65535", "1023", "1024", "0"], odd));
  }
}

export function dynamicAllocation(draft: Draft): void {
  const { dice } = draft;
  draft.conf("spark.dynamicAllocation.enabled", draft.value("boolean"));
  const keys = ["minExecutors", "maxExecutors", "initialExecutors"];
  for (const key of dice.some(keys, dice.pick([0, 1, 2])))
    draft.conf(`spark.dynamicAllocation.${key}`, draft.value("integer"));
  if (dice.chance(0.2)) draft.conf("spark.dynamicAllocation.shuffleTracking.enabled", draft.value("boolean"));
  if (dice.chance(0.5)) draft.conf("spark.executor.instances", draft.value("integer"));
}

export function dependencies(draft: Draft): void {
  const { dice } = draft;
  const lists = KEYS_OF_FLAGS.filter(([, , kind]) => kind === "uris");
  for (const [flag, key] of dice.some(lists, dice.pick([1, 1, 2]))) {
    const value = draft.value("uris");
    if (dice.chance(0.6)) draft.flag(flag, value);
    else draft.conf(key, value);
  }
}

export function proxyUser(draft: Draft): void {
  const { dice } = draft;
  draft.flag("--proxy-user", dice.mostly(["bob"], ["", " ", "a b", "\u00e9", "bob@R", "--x"], 0.15));
  if (dice.chance(0.1)) draft.flag("--principal", "p");
  if (dice.chance(0.3)) draft.env["SPARK_USER"] = "someone";
}
