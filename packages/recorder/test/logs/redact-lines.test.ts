import { expect, test } from "vitest";
import { type RedactLine, redactLines } from "../../src/logs/redact-lines.ts";
import { RunSecrets } from "../../src/secrets/run-secrets.ts";

function redacting(...secrets: readonly string[]): RedactLine {
  const known = new RunSecrets();
  known.learn(secrets);
  return redactLines(known);
}

const KEY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC";

test.each([
  ["spark.hadoop.fs.s3a.secret.key=abcDEF123456", "abcDEF123456"],
  ['{"password": "open sesame"}', "open sesame"],
  ["Authorization: Bearer eyJhbGciOiJ9.eyJzdWIi.c2ln", "eyJhbGciOiJ9.eyJzdWIi.c2ln"],
  ["connecting to jdbc:postgresql://reader:hunter22@db/prod", "hunter22"],
  ["options: Map(url -> jdbc:x, password -> hunter22)", "hunter22"],
  ["accessKeyId=AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"],
  ["client-key-data: LS0tLS1CRUdJTiBSU0Eg", "LS0tLS1CRUdJTiBSU0Eg"],
  ["AWS_SECRET_ACCESS_KEY: wJalrXUtnFEMI/K7MDENG", "wJalrXUtnFEMI/K7MDENG"],
])("a secret in %s is not kept", (line, secret) => {
  expect(redacting()(line)).not.toContain(secret);
});

test("what the application's configuration names as a secret is kept nowhere", () => {
  expect(redacting("tr0ub4dor&3")("login failed for tr0ub4dor&3 at host")).toBe(
    "login failed for *********(redacted) at host",
  );
});

test.each([
  ["in base64", Buffer.from("tr0ub4dor&3").toString("base64")],
  ["in base64 of more", Buffer.from("app:tr0ub4dor&3!").toString("base64")],
  ["in a URI", encodeURIComponent("tr0ub4dor&3")],
  ["in markup", "tr0ub4dor&amp;3"],
  ["cut at the end of a line", "tr0ub4dor&"],
])("nor as it stands %s", (_, written) => {
  expect(redacting("tr0ub4dor&3")(`it is ${written}`)).not.toContain(written.slice(2, -2));
});

test("a private key is not kept, whatever lines it has", () => {
  const redact = redacting();
  const lines = ["-----BEGIN RSA PRIVATE KEY-----", KEY, KEY, "-----END RSA PRIVATE KEY-----", "after it"].map(redact);
  expect(lines.join("\n")).not.toContain(KEY);
  expect(lines.at(-1)).toBe("after it");
});

test("ordinary lines stay as they are", () => {
  const lines = [
    "26/11/21 10:00:00 INFO SparkContext: Running Spark version 4.3.0",
    "Caused by: java.lang.OutOfMemoryError: Java heap space",
    "\tat org.apache.spark.rdd.RDD.iterator(RDD.scala:331)",
    "token bucket is full",
    "",
  ];
  expect(lines.map(redacting())).toEqual(lines);
});

test("a line of many megabytes takes time in proportion to its length", () => {
  const line = "password ".repeat(500_000);
  expect(redacting()(line).length).toBeGreaterThan(0);
});
