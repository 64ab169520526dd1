const RULES: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID"],
  [/(hollow|containerd):\/\/[0-9a-f]{64}/g, "CONTAINER"],
  [/(Image ID:|imageID:|"imageID":).*/g, "$1 IMAGE"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "TIME"],
  [/(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "TIME"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} UTC/g, "TIME"],
  [/Resource Version:\s+\d+/g, "Resource Version: VERSION"],
  [/(resourceVersion: |"resourceVersion": )"\d+"/g, "$1VERSION"],
  [/kube-api-access-\w{5}/g, "kube-api-access-SUFFIX"],
  // The hash of a template has no meaning, except that it is always the same.
  [/\bservice-[0-9a-z]{8,10}\b/g, "service-HASH"],
  [/\b\d+\.\d+\.\d+\.\d+(\/\d+)?\b/g, "ADDRESS"],
  // Ages: in columns, and in events such as `12s (x2 over 14s)`.
  [/(?<=^|\s)(\d+[smhd])+( \(x\d+ over (\d+[smhd])+\))?(?=\s|$)/gm, "AGE"],
  [/[+-]{3} \/tmp\/\S+.*/g, "FILE"],
  [/diff -u -N \S+ \S+/g, "FILES"],
  // The widths of columns depend on all of these.
  [/[ \t]+/g, " "],
  [/-{3,}/g, "---"],
  [/ $/gm, ""],
];

/** A text without the parts that differ between clusters and runs. */
export function normalise(text: string, nodes: readonly string[]): string {
  let result = text;
  for (const node of nodes) result = result.replaceAll(new RegExp(`\\b${node}\\b`, "g"), "NODE");
  for (const [pattern, replacement] of RULES) result = result.replaceAll(pattern, replacement);
  return result;
}
