import { isDeepStrictEqual } from "node:util";
import {
  array,
  boolean,
  check,
  constant,
  constantFrom,
  dictionary,
  letrec,
  oneof,
  property,
  string,
  stringMatching,
  tuple,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument, stringify } from "yaml";
import { parsePlainYaml } from "../../src/kubeconfig/plain-yaml.ts";

/** The full parser's result for a text; undefined if the text is invalid. */
function realParse(text: string): unknown {
  const document = parseDocument(text);
  return document.errors.length > 0 ? undefined : (document.toJS() as unknown);
}

const KUBECTL = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1J==
    server: https://10.0.0.1:6443
  name: kubernetes
contexts:
- context:
    cluster: kubernetes
    user: kubernetes-admin
  name: kubernetes-admin@kubernetes
current-context: kubernetes-admin@kubernetes
kind: Config
preferences: {}
users:
- name: kubernetes-admin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      args:
      - eks
      - get-token
      - --cluster-name
      - demo
      command: aws
      env:
      - name: AWS_PROFILE
        value: "dev"
      provideClusterInfo: false
`;

describe("what kubectl and installers write is read without the real parser", () => {
  test("block style", () => {
    expect(parsePlainYaml(KUBECTL)).toEqual(realParse(KUBECTL));
    expect(parsePlainYaml(KUBECTL)).toBeDefined();
  });

  test("with Windows' line ends", () => {
    const text = KUBECTL.replaceAll("\n", "\r\n");
    expect(parsePlainYaml(text)).toEqual(realParse(text));
    expect(parsePlainYaml(text)).toBeDefined();
  });

  test("flow style on one line", () => {
    const text =
      'clusters: [{name: c, cluster: {server: "https://127.0.0.1:6443", list: [a, b], none: {}}}]\nkind: Config\n';
    expect(parsePlainYaml(text)).toEqual(realParse(text));
    expect(parsePlainYaml(text)).toBeDefined();
  });
});

/** Whether both parsers give the same result, or the plain parser leaves the text to the full one. */
function agree(text: string): boolean {
  const plain = parsePlainYaml(text);
  return plain === undefined || isDeepStrictEqual(plain, realParse(text));
}

describe("what it reads, it reads as the real parser does", () => {
  const name = stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/);
  const trap = constantFrom("true", "no", "null", "1.0", "a: b", "a #b", "-", "--a", "~", "'", '"x"');
  const word = oneof(name, string({ maxLength: 12 }), trap, boolean(), constant(null));
  const { tree } = letrec((tie) => ({
    tree: oneof({ depthSize: "small" }, word, tie("list"), tie("fields")),
    list: array(tie("tree"), { maxLength: 3 }),
    fields: dictionary(name, tie("tree"), { maxKeys: 4 }),
  }));
  const documents = dictionary(name, tree, { minKeys: 1, maxKeys: 4 });

  test("documents in block style", () => {
    const style = property(documents, boolean(), (document, indentSeq) =>
      agree(stringify(document, { indentSeq, lineWidth: 0 })),
    );
    expect(check(style, { numRuns: 1_000 }).counterexample).toBeNull();
  });

  test("documents in flow style", () => {
    const style = property(documents, (document) => {
      const flow = stringify(document, { collectionStyle: "flow", lineWidth: 0 }).trim();
      return agree(`field: ${flow.replaceAll("{ ", "{").replaceAll(" }", "}")}\n`);
    });
    expect(check(style, { numRuns: 1_000 }).counterexample).toBeNull();
  });

  test("lines of a kubeconfig that were cut, moved, indented and garbled", () => {
    const odd = ["- a", "- - a", "key:", "  key: |", "    text", "? x", "key: &a b", "...", "---", "# note", "a : b"];
    const odder = ["'q': 1", "- {a: b, c: [d]}", "k: 'it''s'", "k: a # b", "k: --a", "- --- a"];
    const piece = tuple(
      constantFrom("", "", "", " ", "  ", "    ", "\t"),
      constantFrom(...KUBECTL.split("\n"), ...odd, ...odder),
      constantFrom("", "", "", " ", ":", " #", ",", "]", ": x", "\r"),
    );
    const texts = array(piece, { minLength: 1, maxLength: 10 }).map((pieces) =>
      pieces.map((one) => one.join("")).join("\n"),
    );
    expect(check(property(texts, agree), { numRuns: 5_000 }).counterexample).toBeNull();
  });
});

test.each([
  "a: 1",
  "a: 0x1",
  "a: .5",
  "a: 2020-01-01",
  "a: ~",
  "a: yes",
  "a: no",
  "a: null",
  "a: a\n  b",
  "a: |\n  b",
  "a: b\na: c",
  "a: 'b",
  "a: ä",
  "__proto__: {}",
  "a: b: c",
  "a: *b",
])("what needs the real parser is left to it: %j", (text) => {
  expect(parsePlainYaml(text)).toBeUndefined();
});
