import { expect, test } from "vitest";
import { localFiles } from "../../src/plan/files/gathered-files.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const POD = "spec: { hostNetwork: true }\n";
const utf16 = Uint8Array.from([0xff, 0xfe, ...Buffer.from(POD, "utf16le")]);
const files = localFiles(
  {
    cwd: "/work",
    byPath: {
      "": { isFile: false, size: 0, content: { fault: "it does not exist" } },
      "/work": { isFile: false, size: 0, files: [] },
      "/work/pod.yaml": { isFile: true, size: POD.length, content: bytes(POD) },
      "/work/utf16.yaml": { isFile: true, size: utf16.length, content: utf16 },
      "/work/latin1.yaml": { isFile: true, size: 4, content: Uint8Array.from([0x61, 0x3a, 0x20, 0xe9]) },
    },
  },
  "this-machine",
  "4.3.0",
);
const read = (path: string): unknown => files.readYaml(path, `key: ${path}`, "Pod");

test.each(["pod.yaml", "/work/pod.yaml", "file:///work/pod.yaml", "local:///work/pod.yaml", "utf16.yaml"])(
  "a template is read from %s",
  (path) => {
    expect(read(path)).toEqual({ spec: { hostNetwork: true } });
  },
);

test("but not from a folder, nor from where nothing is, as an empty value names, nor from bytes that are no text", () => {
  expect(() => read("/work")).toThrow("key: /work cannot be read: it is a directory");
  expect(() => read("")).toThrow("key:  cannot be read: it does not exist");
  expect(() => read("latin1.yaml")).toThrow("is not a UTF-8 text");
});
