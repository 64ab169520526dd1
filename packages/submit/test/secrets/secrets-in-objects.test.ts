import { expect, test } from "vitest";
import { secretsIn, secretsInObjects } from "../../src/index.ts";

test("the secrets of a pod are found in its variables, arguments and annotations, also inside of longer texts", () => {
  const found = secretsInObjects([
    { annotations: { "example.org/api-token": "of-annotation", note: "nothing here" } },
    {
      env: [
        { name: "DB_PASSWORD", value: "of-variable" },
        { name: "LOGIN", value: '{"token": "of-member"}' },
        { name: "SPARK_USER", value: "somebody" },
      ],
      args: ["--password", "of-flag", "--token=of-option", "https://app:of-login@host/", "driver"],
    },
  ]);
  expect(found).toEqual(
    expect.arrayContaining(["of-annotation", "of-variable", "of-member", "of-flag", "of-option", "of-login"]),
  );
  for (const text of ["somebody", "driver", "nothing here"]) expect(found).not.toContain(text);
});

test("what would be removed from ordinary words is no secret", () => {
  expect(
    secretsInObjects([{ env: [{ name: "USE_TOKEN", value: "true" }] }, { env: [{ name: "TOKEN", value: "abc" }] }]),
  ).toEqual([]);
});

test("a password in a URI of a configuration is a secret by itself", () => {
  expect(secretsIn({ "spark.my.database": "jdbc:postgresql://app:hunter22@host/jobs" })).toEqual(["hunter22"]);
  expect(secretsIn({ "spark.my.place": "s3a://bucket@2/x", "spark.my.host": "https://host:8080/a@b" })).toEqual([]);
});
