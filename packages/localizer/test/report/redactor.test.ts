import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "../../src/report/redactor.ts";

test("a secret is hidden in every usual encoding", () => {
  const redactor = createRedactor();
  redactor.hide("p@ss/w ord");
  const text = `p@ss/w ord ${encodeURIComponent("p@ss/w ord")} ${Buffer.from("p@ss/w ord").toString("base64")}`;
  expect(redactor.clean(text)).toBe("*** *** ***");
});

test("queries and logins of URLs are hidden without being told", () => {
  const redactor = createRedactor();
  expect(redactor.clean("GET https://u:pw@h/x?X-Amz-Signature=abc failed")).toBe("GET https://***@h/x?*** failed");
});

test("no secret survives, whatever is around it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ minLength: 4 }), { minLength: 1 }),
      fc.string(),
      fc.string(),
      (secrets, before, after) => {
        const redactor = createRedactor();
        for (const secret of secrets) redactor.hide(secret);
        for (const secret of secrets) {
          fc.pre(!"***".includes(secret) && !secret.includes("*"));
          const rest = redactor.clean(before + secret + after);
          expect(rest.replaceAll("***", "\0")).not.toContain(secret);
        }
      },
    ),
  );
});
