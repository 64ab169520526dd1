import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mainClassOfJar } from "../../../src/gather/application/main-class.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { jarWithManifest, zipFile } from "@kindling/test-kit/zip-file";

function mainClassIn(bytes: Uint8Array): string | undefined {
  return mainClassOfJar(scratchFolder().write("app.jar", bytes));
}

describe("the main class", () => {
  test("is what the manifest says", () => {
    expect(mainClassIn(jarWithManifest("Manifest-Version: 1.0", "Main-Class: org.example.Main", "X: y"))).toBe(
      "org.example.Main",
    );
  });

  test("is found in an entry that is stored as it is", () => {
    const content = "Manifest-Version: 1.0\nMain-Class: Stored\n";
    expect(mainClassIn(zipFile([{ name: "META-INF/MANIFEST.MF", content, stored: true }]))).toBe("Stored");
  });

  test("goes on in lines that begin with a blank", () => {
    const long = `org.example.${"very.".repeat(20)}LongName`;
    const lines = [`Main-Class: ${long.slice(0, 58)}`, ` ${long.slice(58, 100)}`, ` ${long.slice(100)}`];
    expect(mainClassIn(jarWithManifest("Manifest-Version: 1.0", ...lines, "Built-By: x"))).toBe(long);
  });

  test("is written in any case, with any line end, and blanks around it do not count", () => {
    for (const lineEnd of ["\n", "\r", "\r\n"]) {
      const content = ["MANIFEST-version: 1.0", "main-CLASS:   Main  ", ""].join(lineEnd);
      expect(mainClassIn(zipFile([{ name: "META-INF/MANIFEST.MF", content }]))).toBe("Main");
    }
  });

  test("counts in the main section only", () => {
    expect(
      mainClassIn(jarWithManifest("Manifest-Version: 1.0", "", "Name: a/", "Main-Class: Section")),
    ).toBeUndefined();
  });

  test("is found behind a comment of the zip file, and behind a program that stands before it", () => {
    const entries = [{ name: "META-INF/MANIFEST.MF", content: "Main-Class: Main\n" }];
    expect(mainClassIn(zipFile(entries, "x".repeat(60_000)))).toBe("Main");
    expect(mainClassIn(Buffer.concat([Buffer.from("#!/bin/sh\nexec java -jar $0\n"), zipFile(entries)]))).toBe("Main");
  });
});

describe("there is none", () => {
  test("in a manifest that names none, or an empty one", () => {
    expect(mainClassIn(jarWithManifest("Manifest-Version: 1.0"))).toBeUndefined();
    expect(mainClassIn(jarWithManifest("Main-Class: "))).toBeUndefined();
  });

  test("in a jar without a manifest", () => {
    expect(mainClassIn(zipFile([{ name: "org/example/Main.class", content: "x" }]))).toBeUndefined();
    expect(mainClassIn(zipFile([]))).toBeUndefined();
  });
});

// Java's own reader does not check the checksums of the contents, for example, and neither does this one.
describe("a file that is no jar", () => {
  test.each([
    ["an empty file", Buffer.alloc(0)],
    ["a text", Buffer.from("print('hello')\n".repeat(1000))],
    ["a jar cut short", jarWithManifest("Main-Class: Main").subarray(0, 200)],
  ])("%s is refused", (_, bytes) => {
    expect(() => mainClassIn(bytes)).toThrow("it is no jar file");
  });

  test("or one with damaged bytes gives an answer or an error, within bounds", () => {
    const good = jarWithManifest("Manifest-Version: 1.0", "Main-Class: org.example.Main");
    const path = scratchFolder().write("damaged.jar", good);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), (at, byte) => {
        const damaged = Buffer.from(good);
        damaged.writeUInt8(byte, at);
        writeFileSync(path, damaged);
        let answer: unknown;
        try {
          answer = mainClassOfJar(path);
        } catch (error) {
          answer = error;
        }
        expect(answer === undefined || typeof answer === "string" || answer instanceof Error).toBe(true);
      }),
    );
  });
});
