import type { Diagnosis } from "./finding.ts";

/**
 * Names in a SparkApplication instead of a key or a flag, the longer ones first: one key can be the beginning of another. The
 * operator refuses some of these keys, because there is a field for each (kubeflow's api/v1beta2, `SparkApplicationSpec`).
 */
const WORDS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bspark\.kubernetes\.authenticate\.(driver|executor)\.serviceAccountName\b/g, "spec.$1.serviceAccount"],
  [/\bspark\.kubernetes\.(driver|executor)\.container\.image\b/g, "spec.$1.image"],
  [/\bspark\.kubernetes\.container\.image\.pullSecrets\b/g, "spec.imagePullSecrets"],
  [/\bspark\.kubernetes\.container\.image\.pullPolicy\b/g, "spec.imagePullPolicy"],
  [/\bspark\.kubernetes\.container\.image\b/g, "spec.image"],
  [/\bspark\.kubernetes\.(driver|executor)\.podTemplateFile\b/g, "spec.$1.template"],
  [/\bspark\.kubernetes\.scheduler\.volcano\.podGroupTemplateFile\b/g, "spec.batchSchedulerOptions"],
  [/\bspark\.kubernetes\.(driver|executor)\.request\.cores\b/g, "spec.$1.coreRequest"],
  [/\bspark\.kubernetes\.(driver|executor)\.limit\.cores\b/g, "spec.$1.coreLimit"],
  [/\bspark\.kubernetes\.driver\.pod\.name\b/g, "spec.driver.podName"],
  [/\bspark\.kubernetes\.executor\.deleteOnTermination\b/g, "spec.executor.deleteOnTermination"],
  [/\bspark\.kubernetes\.(driver|executor)\.node\.selector\./g, "spec.$1.nodeSelector."],
  [/\bspark\.kubernetes\.node\.selector\./g, "spec.nodeSelector."],
  [/\bspark\.kubernetes\.(driver|executor)\.(label|annotation)\./g, "spec.$1.$2s."],
  [/\bspark\.kubernetes\.driverEnv\.(\w+)/g, "$1 in spec.driver.env"],
  [/\bspark\.executorEnv\.(\w+)/g, "$1 in spec.executor.env"],
  [/\bspark\.(driver|executor)\.(memoryOverhead|memory|cores)\b(?!\.)/g, "spec.$1.$2"],
  [/\bspark\.executor\.instances\b/g, "spec.executor.instances"],
  [/\bspark\.(driver|executor)\.extraJavaOptions\b/g, "spec.$1.javaOptions"],
  [/ \(--(?:driver|executor)-(?:memory|cores)\)/g, ""],
  [/(?<![\w-])--class\b/g, "spec.mainClass"],
  [/(?<![\w-])--(jars|packages|files|archives)\b(?!-)/g, "spec.deps.$1"],
  [/(?<![\w-])--py-files\b/g, "spec.deps.pyFiles"],
  [/, or let Kindling stage it from this machine/g, ", or give the URI of a store that driver and executors can reach"],
  [
    /\bsubmit with the version of Spark that the image has: .*/g,
    "give spec.sparkVersion the version that the image has",
  ],
  [/\bkindling (status|logs)\b/g, "kindling app $1"],
];

/**
 * Advice in the terms of a SparkApplication: its fields instead of Spark's keys and of flags. A key without a field stays: it
 * belongs in sparkConf.
 */
export function inApplicationWords(advice: string): string {
  return WORDS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), advice);
}

/** A diagnosis with advice about a SparkApplication. The words of the cluster and of the log stay unchanged. */
export function forApplication(diagnosis: Diagnosis): Diagnosis {
  const findings = diagnosis.findings.map((finding) => ({
    ...finding,
    advice: finding.advice === undefined ? undefined : inApplicationWords(finding.advice),
  }));
  return { ...diagnosis, findings };
}
