import { expect, test } from "vitest";
import { withEnvironment } from "../../src/config/environment.ts";
import { resolveLocalizerConfig } from "../../src/config/index.ts";

const config = resolveLocalizerConfig({ version: 1, roots: ["/r"], files: [], parallel: 2 });

test("the environment's settings win", () => {
  const env = {
    KINDLING_LOCALIZER_PARALLEL: "8",
    KINDLING_LOCALIZER_DEADLINE_SECONDS: "60",
    KINDLING_LOCALIZER_STALL_SECONDS: "5",
    TERMINATION_LOG: "/tmp/log",
  };
  const expected = { parallel: 8, deadlineSeconds: 60, stallSeconds: 5, terminationLog: "/tmp/log" };
  expect(withEnvironment(config, env)).toMatchObject(expected);
});

test("WebHDFS addresses of the environment count besides those of the configuration", () => {
  const own = { ...config, webhdfs: new Map([["ns1", ["http://own:9870"]]]) };
  const env = {
    KINDLING_LOCALIZER_WEBHDFS: "ns1=http://x:1, ns2=http://nn1:9870,ns2=http://nn2:9870,nn:8020=https://h",
  };
  expect(Object.fromEntries(withEnvironment(own, env).webhdfs)).toEqual({
    ns1: ["http://own:9870"],
    ns2: ["http://nn1:9870", "http://nn2:9870"],
    "nn:8020": ["https://h"],
  });
});

test("empty variables say nothing", () => {
  expect(
    withEnvironment(config, { KINDLING_LOCALIZER_PARALLEL: "", KINDLING_LOCALIZER_WEBHDFS: "", TERMINATION_LOG: "" }),
  ).toEqual(config);
});

test.each([
  [{ KINDLING_LOCALIZER_PARALLEL: "0" }, "the environment's KINDLING_LOCALIZER_PARALLEL must be an integer from 1"],
  [{ KINDLING_LOCALIZER_STALL_SECONDS: "1e3" }, "KINDLING_LOCALIZER_STALL_SECONDS must be an integer"],
  [{ KINDLING_LOCALIZER_WEBHDFS: "http://nn:9870" }, "KINDLING_LOCALIZER_WEBHDFS must be named by a name service"],
  [{ KINDLING_LOCALIZER_WEBHDFS: "ns1=nn:9870" }, "KINDLING_LOCALIZER_WEBHDFS must be an http or https URI"],
  [{ TERMINATION_LOG: "log" }, "TERMINATION_LOG must be an absolute path"],
])("%o is refused", (env, problem) => {
  expect(() => withEnvironment(config, env)).toThrow(problem);
});
