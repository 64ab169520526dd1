const HARMLESS = /^[\w@%+=:,./-]+$/;

/** A text as one word of a shell's command line: in quotes if it needs them. */
export function shellWord(text: string): string {
  return HARMLESS.test(text) ? text : quotedWord(text);
}

/** The same, always in quotes (kubeflow/spark-operator 38082f33, `shellQuoteSparkConfig`). */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
