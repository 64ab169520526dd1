import { describe, expect, test } from "vitest";
import { redact, secretsIn, secretsInObjects } from "../../src/index.ts";

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

describe("the secrets of a configuration with a pattern of its own", () => {
  const pattern = { "spark.redaction.regex": "(?i)secret|password|token|AKIA[A-Z0-9]{16}" };

  test("are the values of keys that it matches, and no names that it matches", () => {
    const found = secretsIn({
      ...pattern,
      ...{ "spark.app.name": "token-service", "spark.kubernetes.namespace": "tokens" },
      ...{ "spark.kubernetes.container.image": "registry.example/token-service:1", "spark.my.token": "Hx7-own-9qZ" },
      "spark.executor.extraClassPath": "/opt/token-service/lib",
    });
    expect(found).toEqual(["Hx7-own-9qZ"]);
  });

  test("are no names of the application, whatever key has them as well", () => {
    const label = { "spark.kubernetes.driver.label.token-owner": "daily", "spark.my.token.kind": "a" };
    expect(secretsIn({ ...pattern, "spark.app.name": "daily", ...label })).toEqual([]);
  });

  test("are what it describes inside of values", () => {
    const access = "AKIAIOSFODNN7EXAMPLE";
    expect(secretsIn({ ...pattern, "spark.my.note": `reads with ${access}, see token-service` })).toEqual([access]);
  });
});

test("a value that the pattern matches is not shown itself, as in Spark", () => {
  const shown = redact({ "spark.redaction.regex": "token", "spark.app.name": "token-service", "spark.my.n": "daily" });
  expect(shown).toMatchObject({ "spark.app.name": "*********(redacted)", "spark.my.n": "daily" });
});
