import type { Draft } from "../draft.ts";

/** The possible values of each variable; all may be empty, which is often different from unset. */
const VARIABLES: Readonly<Record<string, (draft: Draft) => string>> = {
  SPARK_USER: (draft) => draft.text(),
  SPARK_LOCAL_DIRS: ({ dice }) => dice.mostly(["/a", "/a,/b"], ["", " /a , /b", "/a,,/b", "/a,/a", "rel", "/a,"], 0.3),
  PYSPARK_PYTHON: (draft) => draft.text(),
  PYSPARK_DRIVER_PYTHON: (draft) => draft.text(),
  SPARK_DRIVER_MEMORY: (draft) => draft.value("memory"),
  SPARK_DRIVER_CORES: (draft) => draft.value("integer"),
  SPARK_EXECUTOR_MEMORY: (draft) => draft.value("memory"),
  SPARK_EXECUTOR_CORES: (draft) => draft.value("integer"),
  SPARK_EXECUTOR_INSTANCES: (draft) => draft.value("integer"),
  MASTER: ({ dice }) => dice.pick(["k8s://http://127.0.0.1:{PORT}", "local", "x"]),
  DEPLOY_MODE: ({ dice }) => dice.pick(["cluster", "client", "x"]),
  HADOOP_USER_NAME: (draft) => draft.dice.mostly(["hu", "hu@REALM", "hu/host@REALM"], [" ", "\u00e9"]),
  HADOOP_PROXY_USER: ({ dice }) => dice.pick(["pu", "pu@REALM"]),
  HADOOP_CONF_DIR: () => "",
  YARN_CONF_DIR: () => "",
  HADOOP_TOKEN_FILE_LOCATION: () => "",
  SPARK_CONF_DIR: ({ dice }) => dice.pick(["{W}/none", "{W}/f"]),
  SPARK_SUBMIT_OPTS: ({ dice }) => dice.pick(SUBMIT_OPTIONS),
  SPARK_LAUNCHER_OPTS: () => "",
  SPARK_REMOTE: () => "",
  SPARK_LOCAL_IP: (draft) => draft.text(),
  SPARK_PUBLIC_DNS: (draft) => draft.text(),
  SPARK_ENV_LOADED: () => "1",
  LOCAL_DIRS: (draft) => draft.text(),
  FUZZY: (draft) => draft.text(),
};

const SUBMIT_OPTIONS = [
  ...[
    "-Dspark.kubernetes.driver.label.so=1",
    "-Dspark.app.name=fromopts",
    "-Dx=y -Dspark.z='a b'",
    "-Dspark.driver.memory=3g",
    "-Dspark.q",
  ],
  ...[
    "-Dspark.e=",
    "-Dspark.executor.instances=3",
    "-Duser.name=zz",
    "-DHADOOP_USER_NAME=opts",
    "-Dspark.jars=local:///o.jar",
  ],
  ...[
    "-Dspark.driver.extraJavaOptions=-Da=1",
    '-Dspark.q="x y"',
    "-Dspark.q=a\\ b",
    "-Xmx200m",
    "-Dspark.app.name=a -Dspark.app.name=b",
  ],
];

/** Variables that spark-submit or its scripts read, with values and empty. */
export function environment(draft: Draft): void {
  const { dice, env } = draft;
  for (const name of dice.some(Object.keys(VARIABLES), dice.pick([1, 1, 2, 3])))
    env[name] = dice.chance(0.2) ? "" : (VARIABLES[name]?.(draft) ?? "");
}
