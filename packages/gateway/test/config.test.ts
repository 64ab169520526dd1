import { expect, test } from "vitest";
import { GATEWAY_KEYS, loadConfig } from "../src/index.ts";

const HTTP = ["--tls-plain-http", "true"];

test("flags win over the environment, and the environment over the file", () => {
  const sources = {
    env: {
      KINDLING_GATEWAY_CONFIG: "gateway.properties",
      KINDLING_GATEWAY_ADMIN_PORT: "2",
      KINDLING_GATEWAY_PORT: "tcp://x",
    },
    readFile: () => "listen.port=1\nadmin.port=1\nexecutors.concurrency=1\n",
  };
  const config = loadConfig({ args: [...HTTP, "--executors-concurrency", "3"], ...sources });
  expect(config).toMatchObject({ "listen.port": 1, "admin.port": 2, "executors.concurrency": 3 });
});

test("every setting that has a default can be read from it", () => {
  const config = loadConfig({ args: HTTP, env: {}, readFile: () => "" });
  expect(Object.keys(config)).toEqual(Object.keys(GATEWAY_KEYS));
  expect(config).toMatchObject({ "auth.audiences": ["kindling-gateway"], "cluster.namespaces": [], "auth.cache": 60 });
});

test.each<[readonly string[], string, RegExp]>([
  [["--tls-cert-file", "a"], "", /tls\.keyFile is not set/],
  [[...HTTP, "--listen-port", "70000"], "", /--listen-port: expected a port from 0 to 65535, got "70000"/],
  [[...HTTP, "--auth-audiences", "https://kubernetes.default.svc"], "", /audiences of the gateway's own/],
  [[...HTTP, "--auth-cache", "1h"], "", /a duration of at most 10min/],
  [[...HTTP, "--cluster-namespaces", "a,B"], "", /names of namespaces/],
  [[...HTTP, "--leader-lease-duration", "10s"], "", /leaseDuration \(10 s\) must be longer than leader\.renewDeadline/],
  [
    [...HTTP, "--leader-retry-period", "9s"],
    "",
    /renewDeadline \(10 s\) must be more than 1\.2 times leader\.retryPeriod/,
  ],
  [[...HTTP, "--leader-retry-period", "0"], "", /leader\.retryPeriod must be above 0/],
  [[...HTTP, "--recorder-uri", "http://recorder:8080"], "", /an https URI without a path/],
  [[...HTTP, "--recorder-token-file", "token"], "", /recorder\.tokenFile is set, and recorder\.uri is not/],
  [[...HTTP, "--config", "x"], "listen.prot=1", /there is no setting in x called listen\.prot/],
  [[...HTTP, "--config", "x"], "a\\u00zz=1", /^x:1: /],
])("%j with the file %j is refused", (args, text, message) => {
  expect(() => loadConfig({ args, env: {}, readFile: () => text })).toThrow(message);
});
