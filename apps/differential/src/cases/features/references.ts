import type { Draft } from "../draft.ts";

/** Keys whose values refer to others. */
const READERS: readonly string[] = [
  "spark.kubernetes.container.image",
  "spark.kubernetes.driver.label.r",
  "spark.kubernetes.scheduler.name",
  "spark.local.dir",
  "spark.kubernetes.driver.pod.name",
  "spark.driver.memory",
  "spark.app.name",
  "spark.driver.port",
  "spark.driver.cores",
  "spark.kubernetes.container.image.pullSecrets",
  "spark.kubernetes.authenticate.driver.serviceAccountName",
  "spark.files",
  "spark.pyspark.python",
  "spark.jars",
  "spark.kubernetes.driver.podTemplateFile",
  "spark.kubernetes.driver.request.cores",
  "spark.kubernetes.driver.annotation.r",
  "spark.kubernetes.driverEnv.R",
  "spark.kubernetes.executor.request.cores",
];

/** Spark's keys with a default. */
const DEFAULTS: readonly string[] = [
  "spark.driver.cores",
  "spark.executor.memory",
  "spark.kubernetes.memoryOverheadFactor",
  "spark.ui.port",
  "spark.task.cpus",
  "spark.kubernetes.container.image.pullPolicy",
  "spark.submit.deployMode",
  "spark.kubernetes.report.interval",
  "spark.eventLog.dir",
  "spark.dynamicAllocation.enabled",
  "spark.locality.wait",
  "spark.driver.maxResultSize",
  "spark.shuffle.service.port",
];

/** `${key}` in values, as Spark's ConfigReader replaces it. */
export function references(draft: Draft): void {
  const { dice } = draft;
  const [key = "", other = ""] = dice.some(READERS, 2);
  const usual = [
    "${spark.q}",
    "x${spark.q}",
    "${spark.q}${spark.q}",
    `\${${other}}`,
    `\${${dice.pick(DEFAULTS)}}`,
    "${env:FUZZY}",
    "$spark.q",
  ];
  const odd = [
    ...[
      `\${${key}}`,
      "${system:spark.q}",
      "${system:java.io.tmpdir}",
      "${spark.q.${env:FUZZY}}",
      "${spark.default}",
      "${ spark.q}",
    ],
    ...[
      "${spark.q }",
      "${env:FUZZY:x}",
      "${:x}",
      "${}",
      "${spark.q",
      "${system:none}",
      "${spark.Q}",
      "${spark.hadoop.q}",
    ],
  ];
  draft.conf(key, dice.mostly(usual, odd, 0.3));
  if (dice.chance(0.8))
    draft.conf("spark.q", dice.mostly(["v", "2g", "1", "3"], ["${env:FUZZY}", "${spark.q2}", ""], 0.2));
  if (dice.chance(0.3)) draft.conf("spark.q2", dice.mostly(["w"], ["${spark.q}"], 0.3));
  if (dice.chance(0.6)) draft.env["FUZZY"] = dice.mostly(["fuzzy", "1"], ["", "a b", "${spark.q}"], 0.3);
}
