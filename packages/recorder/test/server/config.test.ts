import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";

function loaded(...args: readonly string[]): ReturnType<typeof loadConfig> {
  return loadConfig({ args, env: {}, readFile: () => "" });
}

test.each([
  [["--listen-host", "0.0.0.0"], "auth.mode"],
  [["--listen-host", "0.0.0.0", "--auth-mode", "none"], "auth.mode"],
  [["--listen-host", "0.0.0.0", "--auth-mode", "kubernetes"], "tls.certFile"],
  [["--tls-key-file", "key.pem"], "tls.certFile"],
])("%s is refused: %s is missing", (args, setting) => {
  expect(() => loaded(...args)).toThrow(setting);
});

test("namespaces can have limits of their own", () => {
  const rules = loaded("--retention-namespaces", "etl=90d, trial=2d/10g, ever=0")["retention.namespaces"];
  const day = 24 * 60 * 60_000;
  expect([...rules]).toEqual([
    ["etl", { age: 90 * day, bytes: undefined }],
    ["trial", { age: 2 * day, bytes: 10 * 1024 ** 3 }],
    ["ever", { age: undefined, bytes: undefined }],
  ]);
});

test.each(["etl", "etl=", "etl=soon", "etl=2d/", "etl=2d/much", "Not_A_Name=2d"])(
  "%s is no limit of a namespace",
  (text) => {
    expect(() => loaded("--retention-namespaces", text)).toThrow("expected entries such as etl=90d");
  },
);
