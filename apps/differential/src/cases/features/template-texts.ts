import { stringify } from "yaml";
import type { Dice } from "../dice.ts";
import type { Struct } from "./template-values.ts";

const labels = (lines: string): string => `metadata:\n  labels:\n    ${lines.replaceAll("\n", "\n    ")}\nspec: {}\n`;
const annotations = (lines: string): string => labels(lines).replace("labels", "annotations");

/** Whole templates. Each has one thing that YAML's versions, or YAML and JSON, read in different ways. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  anchors: ["metadata: &m\n  labels: &l {q: r}\n  annotations: *l\nspec: {}\n", labels("a: &x one\nb: *x")],
  merge: ["metadata:\n  labels: &l {q: r}\n  annotations:\n    <<: *l\n    z: y\nspec: {}\n"],
  "duplicate keys": [
    labels("a: one\na: two"),
    "spec: {}\nspec: {hostNetwork: true}\n",
    '{"spec":{"hostNetwork":true,"hostNetwork":false}}',
  ],
  booleans: [labels("a: yes\nb: off\nc: True\nd: Yes"), "spec: {hostNetwork: yes}\n", "spec: {hostNetwork: TRUE}\n"],
  octals: [labels("a: 0644\nb: 0o644"), "spec: {volumes: [{name: v, configMap: {name: c, defaultMode: 0644}}]}\n"],
  "other bases": [labels("a: 0x1F"), "spec: {priority: 0x1F}\n", "spec: {priority: 0b11}\n"],
  underscores: [labels("a: 1_000"), "spec: {priority: 1_000}\n"],
  nulls: [
    labels("a: ~\nb: null\nc:\nd: Null"),
    "metadata:\n  labels:\n  annotations: ~\nspec:\n  volumes:\n  containers:\n",
  ],
  tags: [
    labels('a: !!str 1\nb: !!int "2"\nc: ! x'),
    'spec: {priority: !!int "7"}\n',
    labels("a: !!binary YQ=="),
    labels("a: !mine x"),
    labels("a: !!float 1"),
  ],
  floats: [
    labels("a: 1.0\nb: 1.50\nc: 1e3\nd: .5\ne: 5."),
    "spec: {priority: 5.0}\n",
    '{"metadata":{"labels":{"a":1.50}},"spec":{}}',
  ],
  blocks: [
    annotations("a: |\n  l1\n  l2\nb: |-\n  x\nc: |+\n  y\n"),
    annotations("a: >\n  l1\n  l2\n\n  l3\nb: two\n  lines"),
  ],
  quotes: [
    "metadata: {labels: {'a': 'it''s', \"b\": \"q\\\"q\", c: 'x: y'}}\nspec: {}\n",
    annotations('a: "\\u00e9 \\\n  on"'),
  ],
  dates: [labels("a: 2020-01-01\nb: 2020-01-01T00:00:00Z")],
  colons: [labels("a: x:y\nb: http://h/p#f"), labels("a: 1:30\nb: 190:20:30")],
  "large numbers": [
    labels("a: 12345678901234567890\nb: 9007199254740993\nc: 1234567890123456789"),
    "spec: {priority: 99999999999}\n",
  ],
  exponents: [labels("a: 1e5\nb: 1E400\nc: 12e03\nd: 1e-7")],
  infinities: [labels("a: .inf\nb: .NaN\nc: -.INF"), "spec: {priority: .inf}\n"],
  "empty values": [
    "metadata: {labels: {a: '', b: \"\"}}\nspec: {containers: [{name: '', image: ''}], volumes: [], nodeSelector: {}}\n",
  ],
  "odd keys": [
    "metadata: {labels: {1: a, true: b, 1.5: c, null: d}}\nspec: {}\n",
    labels("? a\n: b"),
    "metadata: {labels: {on: x, y: 1, n: 2}}\nspec: {}\n",
  ],
  signs: [labels("a: +1\nb: -0\nc: +.5\nd: -1.0\ne: 0.0"), "spec: {priority: +1}\n"],
  "no pod": [
    "",
    "\n",
    "# only\n",
    "---\n",
    "null\n",
    "{}\n",
    "- kind: Pod\n  spec: {}\n",
    "hello\n",
    "1\n",
    '"x"\n',
    "spec: [\n",
  ],
  "other kinds": ["Service", "PodTemplate", "pod", "List", "ConfigMap", "Nope"].map(
    (kind) => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: x}\nspec: {}\n`,
  ),
  "odd blanks": [
    labels("a:\u00a0x"),
    labels("a: x\u00a0"),
    "spec:\u00a0{}\n",
    labels("a: x\u2028y"),
    labels("a: \u0085"),
    labels("a: 'x\ty'"),
  ],
  versions: ["%YAML 1.1\n---\nmetadata: {labels: {a: yes}}\nspec: {}\n", "%YAML 1.2\n---\nspec: {}\n"],
};

/** Changes to the text of a pod. */
const CHANGES: Readonly<Record<string, (text: string, pod: Struct) => string>> = {
  "byte order mark": (text) => `\ufeff${text}`,
  "carriage returns": (text) => text.replaceAll("\n", "\r\n"),
  "carriage returns alone": (text) => text.replaceAll("\n", "\r"),
  "document start": (text) => `---\n${text}`,
  "empty document behind": (text) => `${text}---\n`,
  "empty documents around": (text) => `---\n---\n${text}---\n# end\n`,
  "second pod": (text) => `${text}---\nkind: Pod\nmetadata: {labels: {second: x}}\nspec: {hostNetwork: true}\n`,
  comment: (text) => text.replace("\n", " # a comment\n"),
  "comment before": (text) => `# a comment\n\n${text}`,
  tab: (text) => text.replace("  ", "\t"),
  "document end": (text) => `${text}...\n`,
  "something behind": (text) => `${text}  junk: [\n`,
  "JSON and more": (_, pod) => `${JSON.stringify(pod)}\n{}\n`,
  "comment in JSON": (_, pod) => JSON.stringify(pod).replace("{", "{ # c\n"),
  "comma in JSON": (_, pod) => JSON.stringify(pod).replace(/\}$/, ",}"),
};

/** A template with an odd text: the kind of oddity, and the text. */
export function oddText(dice: Dice, pod: Struct): readonly [name: string, text: string] {
  const [name, how] = dice.pick<readonly [string, readonly string[] | ((text: string, pod: Struct) => string)]>([
    ...Object.entries(WHOLE),
    ...Object.entries(CHANGES),
  ]);
  return [name, typeof how === "function" ? how(stringify(pod), pod) : dice.pick(how)];
}
