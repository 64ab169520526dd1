import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparedVersions, versionsFit } from "../../src/doctor/versions.ts";

describe("a command and an installation", () => {
  test.each([
    ["0.1.0", "0.1.0", true],
    ["0.1.0", "0.1.7", true],
    ["0.1.0", "0.2.0", false],
    ["1.0.0", "1.9.3", true],
    ["1.0.0", "2.0.0", false],
    ["0.9.0", "1.0.0", false],
    ["0.1.0", "0.1.0-beta.1", true],
    ["0.1.0", "main", false],
    ["main", "main", true],
  ])("of %s and %s: %s", (one, other, fit) => {
    expect(versionsFit(one, other)).toBe(fit);
  });

  test("fit or not whichever is which, and always themselves", () => {
    const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join("."));
    fc.assert(
      fc.property(version, version, (one, other) => {
        expect(versionsFit(one, other)).toBe(versionsFit(other, one));
        expect(versionsFit(one, one)).toBe(true);
      }),
    );
  });

  test("that do not fit are told, with who has to change", () => {
    expect(comparedVersions("0.2.0", "0.1.0", "kindling")).toEqual({
      state: "problem",
      detail: "kindling 0.1.0 in namespace kindling, and this command is 0.2.0: these do not fit",
      hint: expect.stringContaining("helm upgrade") as string,
    });
    expect(comparedVersions("0.1.0", "0.2.0", "kindling").hint).toBe("npm install --global @kindling/submit-cli@0.2.0");
    expect(comparedVersions("0.1.0", undefined, "kindling").state).toBe("warning");
  });
});
